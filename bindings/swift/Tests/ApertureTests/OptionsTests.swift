// SPDX-License-Identifier: Apache-2.0
import CAperture
import Testing

@testable import Aperture

@Suite struct OptionsTests {
    @Test func everyFieldReachesTheLibrary() throws {
        let options = LaunchOptions(
            executable: "/a", profileDirectory: "/b",
            extraArguments: ["--lang=de", "--ä"], isHeaded: true,
            noSandbox: true, usePipe: true, timeout: .milliseconds(1500),
            width: 640, height: 480, proxy: "socks5://h", allowEvaluate: true)
        try options.withC { pointer in
            let c = pointer.pointee
            #expect(c.size == MemoryLayout<aper_launch_options>.size)
            #expect(text(c.executable) == "/a")
            #expect(text(c.profile_dir) == "/b")
            #expect(text(c.extra_args[0]) == "--lang=de")
            #expect(text(c.extra_args[1]) == "--ä")
            #expect(c.extra_args[2] == nil)
            #expect(c.headed == 1)
            #expect(c.no_sandbox == 1)
            #expect(c.use_pipe == 1)
            #expect(c.timeout_ms == 1500)
            #expect(c.width == 640)
            #expect(c.height == 480)
            #expect(text(c.proxy) == "socks5://h")
            #expect(c.allow_eval == 1)
        }
    }

    @Test func defaultsAreTheLibrarysOwn() throws {
        try Policy().withC { #expect($0.pointee.allow_hosts == nil) }
        try Policy(allowHosts: []).withC {
            #expect($0.pointee.allow_hosts?[0] == nil)
            #expect($0.pointee.allow_hosts != nil)
        }
        try NavigateOptions().withC {
            #expect($0.pointee.timeout_ms == 0)
            #expect($0.pointee.referrer == nil)
        }
        try Emulation().withC {
            #expect($0.pointee.has_geolocation == 0)
            #expect($0.pointee.scale_permille == 0)
        }
    }

    @Test func aTextThatCWouldCutIsRefused() {
        #expect(throws: ApertureError.self) {
            try Action(.type, ref: "e1", text: "a\0b").withC { _ in }
        }
        #expect(throws: ApertureError.self) {
            try withCString("a\0") { _ in }
        }
    }

    @Test func aNumberOutOfRangeIsRefused() {
        #expect(throws: ApertureError.self) {
            try LaunchOptions(width: -1).withC { _ in }
        }
        #expect(throws: ApertureError.self) {
            try Emulation(scale: .nan).withC { _ in }
        }
    }

    @Test func durationsBecomeMillisecondsRoundedUp() {
        #expect(Duration?.none.milliseconds == 0)
        #expect(Duration?.some(.zero).milliseconds == 1)
        #expect(Duration?.some(.microseconds(1001)).milliseconds == 2)
        #expect(Duration?.some(.seconds(-5)).milliseconds == 1)
        #expect(Duration?.some(.seconds(3)).milliseconds == 3000)
        #expect(
            Duration?.some(.seconds(Int64.max)).milliseconds == UInt32.max)
    }

    @Test func aReaderThatLagsIsToldThatItMissedSomething() async {
        var readers = EventReaders()
        var events = readers.add().makeAsyncIterator()
        for _ in 0..<2000 {
            readers.send(BrowserEvent(.tabOpened))
        }
        for _ in 0..<1024 {
            #expect(await events.next()?.kind == .tabOpened)
        }
        readers.send(BrowserEvent(.tabClosed))
        readers.finish()
        #expect(await events.next()?.kind == .overflow)
        #expect(await events.next()?.kind == .tabClosed)
        #expect(await events.next() == nil)
        var late = readers.add().makeAsyncIterator()
        #expect(await late.next() == nil)
    }
}
