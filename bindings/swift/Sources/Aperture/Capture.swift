// SPDX-License-Identifier: Apache-2.0
import CAperture

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A picture or a PDF file.
public struct Capture: Sendable {
    private let reference: Reference

    init?(sharing raw: OpaquePointer?) {
        guard let raw = aper_capture_ref(raw) else { return nil }
        reference = Reference(adopting: raw, aper_capture_unref)
    }

    /// A copy of the bytes of the file.
    public var data: Data {
        guard let bytes = aper_capture_get_data(reference.raw) else {
            return Data()
        }
        return Data(bytes: bytes, count: aper_capture_get_size(reference.raw))
    }

    /// Such as `image/png` or `application/pdf`.
    public var mimeType: String {
        text(aper_capture_get_mime_type(reference.raw))
    }

    /// Pixels; 0 for a PDF.
    public var width: Int { Int(aper_capture_get_width(reference.raw)) }

    /// Pixels; 0 for a PDF.
    public var height: Int { Int(aper_capture_get_height(reference.raw)) }

    /// Pixels of the picture per CSS pixel of the page; divide picture
    /// coordinates by it.
    public var scale: Double { aper_capture_get_scale(reference.raw) }

    /// CSS pixels of the page below the picture that
    /// ``ScreenshotOptions/maxHeight`` cut off.
    public var remainingHeight: Int {
        Int(aper_capture_get_remaining_height(reference.raw))
    }
}

/// How to take a picture.
public struct ScreenshotOptions: Sendable {
    /// File format of a picture.
    public struct Format: CConstant {
        public let rawValue: UInt32

        public init(rawValue: UInt32) {
            self.rawValue = rawValue
        }

        /// PNG.
        public static let png = Format(APER_IMAGE_PNG)
        /// JPEG.
        public static let jpeg = Format(APER_IMAGE_JPEG)
        /// WebP.
        public static let webp = Format(APER_IMAGE_WEBP)
    }

    /// Ref of the element to show; nil shows the viewport.
    public var ref: String?
    /// Shows the whole page; its height is cut at ``maxHeight``.
    public var fullPage: Bool
    /// File format.
    public var format: Format
    /// 1 to 100 for JPEG and WebP; nil is 80.
    public var quality: Int?
    /// Pixels of the longer side; larger pictures are scaled down; nil is
    /// 1,568, `Int(UInt32.max)` is no limit.
    public var maxEdge: Int?
    /// CSS pixels of page height from ``startY`` on; nil is 16,000.
    public var maxHeight: Int?
    /// CSS pixels to skip at the top of a whole page, for the next tile.
    public var startY: Int?
    /// For the whole call; nil is 20 seconds.
    public var timeout: Duration?

    /// Every field keeps its default unless given.
    public init(
        ref: String? = nil, fullPage: Bool = false, format: Format = .png,
        quality: Int? = nil, maxEdge: Int? = nil, maxHeight: Int? = nil,
        startY: Int? = nil, timeout: Duration? = nil
    ) {
        self.ref = ref
        self.fullPage = fullPage
        self.format = format
        self.quality = quality
        self.maxEdge = maxEdge
        self.maxHeight = maxHeight
        self.startY = startY
        self.timeout = timeout
    }
}

extension ScreenshotOptions: COptions {
    static var zero: aper_screenshot_options {
        var c = aper_screenshot_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_screenshot_options, _ strings: CStrings) throws {
        c.ref = try strings.copy(ref)
        c.full_page = fullPage.flag
        c.format = format.rawValue
        c.quality = try quality.number
        c.max_edge = try maxEdge.number
        c.max_height = try maxHeight.number
        c.start_y = try startY.number
        c.timeout_ms = timeout.milliseconds
    }
}

/// How to print.
public struct PDFOptions: Sendable {
    /// Turns the paper.
    public var landscape: Bool
    /// Prints backgrounds.
    public var backgrounds: Bool
    /// Thousandths of a millimetre; nil is A4.
    public var paperWidth: Int?
    /// Thousandths of a millimetre; nil is A4.
    public var paperHeight: Int?
    /// Pages such as `1-3,5`; nil is all.
    public var pages: String?
    /// For the whole call; nil is 60 seconds.
    public var timeout: Duration?

    /// Every field keeps its default unless given.
    public init(
        landscape: Bool = false, backgrounds: Bool = false,
        paperWidth: Int? = nil, paperHeight: Int? = nil,
        pages: String? = nil, timeout: Duration? = nil
    ) {
        self.landscape = landscape
        self.backgrounds = backgrounds
        self.paperWidth = paperWidth
        self.paperHeight = paperHeight
        self.pages = pages
        self.timeout = timeout
    }
}

extension PDFOptions: COptions {
    static var zero: aper_pdf_options {
        var c = aper_pdf_options()
        c.size = MemoryLayout.size(ofValue: c)
        return c
    }

    func fill(_ c: inout aper_pdf_options, _ strings: CStrings) throws {
        c.landscape = landscape.flag
        c.backgrounds = backgrounds.flag
        c.paper_width_um = try paperWidth.number
        c.paper_height_um = try paperHeight.number
        c.pages = try strings.copy(pages)
        c.timeout_ms = timeout.milliseconds
    }
}
