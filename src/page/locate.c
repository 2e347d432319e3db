/* SPDX-License-Identifier: Apache-2.0 */
#include "page/internal.h"

aper_status aper__page_locate(aper_tab *tab, aper__op *op, const char *ref,
                              aper__page_box *ret_box,
                              aper_error **ret_error)
{
    char plain[APER__REF_SIZE];
    if (!aper__page_parse_ref(ref, plain))
        return aper__error_set(ret_error, APER_E_NO_REF, "not a ref");
    json_t *answer = NULL;
    char *frame_id = NULL;
    aper_status status = aper__page_frame_of(tab, plain, &frame_id,
                                             ret_error);
    if (!status)
        status = aper__page_call_in(tab, op, frame_id, "locate",
                                    json_pack("{s:s}", "ref", plain),
                                    &answer, ret_error);
    if (!status)
        status = aper__page_check_answer(tab, plain, answer, ret_error);
    if (!status) {
        ret_box->x = aper__json_number(answer, "x", 0);
        ret_box->y = aper__json_number(answer, "y", 0);
        ret_box->width = aper__json_number(answer, "width", 0);
        ret_box->height = aper__json_number(answer, "height", 0);
        status = aper__page_place(tab, op, plain, frame_id, false,
                                  &ret_box->x, &ret_box->y, ret_error);
    }
    json_decref(answer);
    aper__dealloc(frame_id);
    return status;
}
