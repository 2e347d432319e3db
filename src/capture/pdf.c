/* SPDX-License-Identifier: Apache-2.0 */
/* PDF files, fetched in pieces so that no message grows with the page. */
#include "capture/capture.h"

#include <string.h>

#define TIMEOUT_MS 60000
#define A4_WIDTH_UM 210000
#define A4_HEIGHT_UM 297000
#define PAPER_MIN_UM 20000
#define PAPER_MAX_UM 5000000
#define INCH_UM 25400.0
#define PAGES_BYTES_MAX 1024
#define PIECE (1024 * 1024)
#define SIZE_MAX_BYTES ((size_t)512 * 1024 * 1024)

static json_t *print_params(const aper_pdf_options *options)
{
    return json_pack(
        "{s:s,s:b,s:b,s:f,s:f,s:s}", "transferMode", "ReturnAsStream",
        "landscape", options->landscape != 0, "printBackground",
        options->backgrounds != 0, "paperWidth",
        options->paper_width_um / INCH_UM, "paperHeight",
        options->paper_height_um / INCH_UM, "pageRanges",
        options->pages != NULL ? options->pages : "");
}

/* Some browsers with windows cannot print. */
static aper_status judge(aper_status status, aper_error **ret_error)
{
    if (status != APER_E_REMOTE || ret_error == NULL || *ret_error == NULL
        || !aper__ascii_caseless_contains(aper_error_get_message(*ret_error),
                                          "not implemented"))
        return status;
    return aper__error_set(ret_error, APER_E_UNSUPPORTED,
                           "this browser does not print into files");
}

static aper_status append_piece(aper__buf *data, json_t *piece,
                                aper_error **ret_error)
{
    const char *text = aper__json_string(piece, "data");
    bool ok = true;
    if (aper__json_bool(piece, "base64Encoded"))
        ok = aper__capture_decode(data, text);
    else
        aper__buf_puts(data, text);
    if (data->failed)
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for a PDF file");
    if (!ok)
        return aper__error_set(ret_error, APER_E_PROTOCOL,
                               "the browser sent no base64");
    if (data->size > SIZE_MAX_BYTES)
        return aper__error_set(ret_error, APER_E_TOO_BIG,
                               "the PDF file is over 512 MiB");
    return APER_OK;
}

static aper_status read_stream(aper_tab *tab, aper__op *op, const char *handle,
                               aper__buf *data, aper_error **ret_error)
{
    aper_status status = APER_OK;
    bool end = false;
    while (status == APER_OK && !end) {
        json_t *piece = NULL;
        status = aper__tab_call(tab, op, "IO.read",
                                json_pack("{s:s,s:i}", "handle", handle,
                                          "size", PIECE),
                                &piece, ret_error);
        if (status == APER_OK)
            status = append_piece(data, piece, ret_error);
        end = aper__json_bool(piece, "eof");
        json_decref(piece);
    }
    aper__cdp_send(aper__browser_cdp(aper_tab_get_browser(tab)),
                   aper__tab_session(tab), "IO.close",
                   json_pack("{s:s}", "handle", handle), 0, NULL, NULL);
    return status;
}

static aper_status print(aper_tab *tab, aper__op *op,
                         const aper_pdf_options *options, aper__buf *data,
                         aper_error **ret_error)
{
    json_t *result = NULL;
    aper_error *error = NULL;
    aper_status status = aper__tab_hold(tab, op, ret_error);
    if (status != APER_OK)
        return status;
    aper__tab_set_printing(tab, true);
    status = aper__tab_call(tab, op, "Page.printToPDF", print_params(options),
                            &result, &error);
    aper__tab_set_printing(tab, false);
    status = judge(status, &error);
    if (status == APER_OK)
        status = read_stream(tab, op, aper__json_string(result, "stream"),
                             data, &error);
    json_decref(result);
    aper__tab_release(tab);
    aper__error_give(ret_error, error);
    return status;
}

static aper_status make(aper_tab *tab, aper__op *op, const void *options,
                        aper_capture **ret_capture, aper_error **ret_error)
{
    aper__buf data = { 0 };
    aper_status status = print(tab, op, options, &data, ret_error);
    if (status == APER_OK
        && (data.size < 5 || memcmp(data.data, "%PDF-", 5) != 0))
        status = aper__error_set(ret_error, APER_E_PROTOCOL,
                                 "the browser sent no PDF file");
    if (status != APER_OK) {
        aper__buf_free(&data);
        return status;
    }
    aper_capture *capture = aper__capture_new((unsigned char *)data.data,
                                              data.size, "application/pdf");
    if (capture == NULL)
        return aper__error_set(ret_error, APER_E_NOMEM,
                               "no memory for a PDF file");
    *ret_capture = capture;
    return APER_OK;
}

/* ---- options ------------------------------------------------------------- */

static bool is_paper(uint32_t um)
{
    return um >= PAPER_MIN_UM && um <= PAPER_MAX_UM;
}

static aper_status check_options(aper_pdf_options *copy,
                                 const aper_pdf_options *options,
                                 aper_error **ret_error)
{
    aper_status status = aper__options_copy(copy, sizeof(*copy), sizeof(*copy),
                                            options, ret_error);
    if (status != APER_OK)
        return status;
    if (copy->paper_width_um == 0)
        copy->paper_width_um = A4_WIDTH_UM;
    if (copy->paper_height_um == 0)
        copy->paper_height_um = A4_HEIGHT_UM;
    if (copy->timeout_ms == 0)
        copy->timeout_ms = TIMEOUT_MS;
    if (!is_paper(copy->paper_width_um) || !is_paper(copy->paper_height_um))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "paper is 20 mm to 5 m wide and high");
    if (copy->pages != NULL
        && (strlen(copy->pages) > PAGES_BYTES_MAX
            || copy->pages[strspn(copy->pages, "0123456789-, ")] != '\0'))
        return aper__error_set(ret_error, APER_E_INVAL,
                               "pages is like \"1-3,5\"");
    return APER_OK;
}

static const aper__capture_kind kind = {
    make, sizeof(aper_pdf_options), offsetof(aper_pdf_options, pages)
};

aper_status aper_tab_pdf(aper_tab *tab, const aper_pdf_options *options,
                         aper_capture **ret_capture, aper_error **ret_error)
{
    aper_pdf_options copy;
    aper_status status = check_options(&copy, options, ret_error);
    if (status != APER_OK)
        return status;
    return aper__capture_take(tab, &kind, &copy, copy.timeout_ms, ret_capture,
                              ret_error);
}

aper_status aper_tab_pdf_start(aper_tab *tab, const aper_pdf_options *options,
                               uint64_t tag, aper_error **ret_error)
{
    aper_pdf_options copy;
    aper_status status = check_options(&copy, options, ret_error);
    if (status != APER_OK)
        return status;
    return aper__capture_start(tab, &kind, &copy, copy.timeout_ms, tag,
                               ret_error);
}
