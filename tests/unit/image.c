/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/capture.h"
#include "suite.h"

#include <string.h>

#define SAMPLE(text) { (const unsigned char *)(text), sizeof(text) - 1 }

typedef struct sample {
    const unsigned char *data;
    size_t size;
} sample;

/* Each states 300 x 200. */
static const sample samples[] = {
    SAMPLE("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\x01\x2c\0\0\0\xc8"),
    /* JPEG: an APP0 segment, filling, the frame */
    SAMPLE("\xff\xd8\xff\xe0\0\x06" "abcd\xff\xff\xff\xc0\0\x11\x08\0\xc8"
           "\x01\x2c"),
    /* a progressive one behind a Huffman table, which is no frame */
    SAMPLE("\xff\xd8\xff\xc4\0\x04\xff\xc0\xff\xc2\0\x11\x08\0\xc8\x01\x2c"),
    SAMPLE("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\x2c\x01\xc8\0"),
    SAMPLE("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\x2b\xc1\x31\0zzzzz"),
    SAMPLE("RIFF\0\0\0\0WEBPVP8X\0\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0"),
};

START_TEST(the_size_is_read)
{
    uint32_t width = 0;
    uint32_t height = 0;
    ck_assert(aper__image_size(samples[_i].data, samples[_i].size, &width,
                               &height));
    ck_assert_uint_eq(width, 300);
    ck_assert_uint_eq(height, 200);
}
END_TEST

START_TEST(what_is_cut_off_is_refused)
{
    for (size_t size = 0; size < samples[_i].size; size++) {
        /* in memory of just that size, which sanitizers watch */
        unsigned char *copy = malloc(size > 0 ? size : 1);
        memcpy(copy, samples[_i].data, size);
        uint32_t width = 7;
        uint32_t height = 7;
        ck_assert(!aper__image_size(copy, size, &width, &height));
        ck_assert_uint_eq(width, 7);
        ck_assert_uint_eq(height, 7);
        free(copy);
    }
}
END_TEST

START_TEST(other_files_are_refused)
{
    static const sample others[] = {
        SAMPLE("GIF89a\x2c\x01\xc8\0................."),
        SAMPLE("\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\0\0\0\0\xc8"),
        SAMPLE("\xff\xd8\xff\xe0\0\x01\xff\xc0\0\x11\x08\0\xc8\x01\x2c"),
        SAMPLE("\xff\xd8\xff\xda\0\x02\xff\xc0\0\x11\x08\0\xc8\x01\x2c"),
        SAMPLE("RIFF\0\0\0\0WAVEVP8X\0\0\0\0\0\0\0\0\x2b\x01\0\xc7\0\0"),
    };
    uint32_t width;
    uint32_t height;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert(!aper__image_size(others[i].data, others[i].size, &width,
                                    &height));
}
END_TEST

int main(void)
{
    int count = sizeof(samples) / sizeof(samples[0]);
    Suite *suite = suite_create("image");
    TCase *all = tcase_create("image");
    tcase_add_loop_test(all, the_size_is_read, 0, count);
    tcase_add_loop_test(all, what_is_cut_off_is_refused, 0, count);
    tcase_add_test(all, other_files_are_refused);
    suite_add_tcase(suite, all);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
