/* SPDX-License-Identifier: Apache-2.0 */
#include "capture/capture.h"

#include <string.h>

static uint32_t big16(const unsigned char *p)
{
    return (uint32_t)p[0] << 8 | p[1];
}

static uint32_t big32(const unsigned char *p)
{
    return big16(p) << 16 | big16(p + 2);
}

static uint32_t little16(const unsigned char *p)
{
    return p[0] | (uint32_t)p[1] << 8;
}

static uint32_t little24(const unsigned char *p)
{
    return little16(p) | (uint32_t)p[2] << 16;
}

static bool png_size(const unsigned char *data, size_t size,
                     uint32_t *ret_width, uint32_t *ret_height)
{
    static const unsigned char head[] = { 0x89, 'P', 'N', 'G', 13, 10, 26, 10,
                                          0, 0, 0, 13, 'I', 'H', 'D', 'R' };
    if (size < 24 || memcmp(data, head, sizeof(head)) != 0)
        return false;
    *ret_width = big32(data + 16);
    *ret_height = big32(data + 20);
    return true;
}

/* Start of frame: C0 to CF but for three that mean something else. */
static bool is_frame(unsigned marker)
{
    return marker >= 0xC0 && marker <= 0xCF && marker != 0xC4
        && marker != 0xC8 && marker != 0xCC;
}

static bool jpeg_size(const unsigned char *data, size_t size,
                      uint32_t *ret_width, uint32_t *ret_height)
{
    if (size < 4 || data[0] != 0xFF || data[1] != 0xD8)
        return false;
    size_t at = 2;
    while (size - at >= 4 && data[at] == 0xFF) {
        unsigned marker = data[at + 1];
        if (marker == 0xFF) { /* filling */
            at++;
            continue;
        }
        size_t length = big16(data + at + 2);
        if (length < 2 || marker == 0xDA)
            return false;
        if (is_frame(marker)) {
            if (size - at < 9)
                return false;
            *ret_height = big16(data + at + 5);
            *ret_width = big16(data + at + 7);
            return true;
        }
        if (size - at < 2 + length)
            return false;
        at += 2 + length;
    }
    return false;
}

static bool webp_size(const unsigned char *data, size_t size,
                      uint32_t *ret_width, uint32_t *ret_height)
{
    if (size < 30 || memcmp(data, "RIFF", 4) != 0
        || memcmp(data + 8, "WEBP", 4) != 0)
        return false;
    const unsigned char *body = data + 20;
    if (memcmp(data + 12, "VP8X", 4) == 0) {
        *ret_width = little24(body + 4) + 1;
        *ret_height = little24(body + 7) + 1;
        return true;
    }
    if (memcmp(data + 12, "VP8L", 4) == 0 && body[0] == 0x2F) {
        uint32_t bits = little24(body + 1) | (uint32_t)body[4] << 24;
        *ret_width = (bits & 0x3FFF) + 1;
        *ret_height = (bits >> 14 & 0x3FFF) + 1;
        return true;
    }
    if (memcmp(data + 12, "VP8 ", 4) == 0
        && memcmp(body + 3, "\x9D\x01\x2A", 3) == 0) {
        *ret_width = little16(body + 6) & 0x3FFF;
        *ret_height = little16(body + 8) & 0x3FFF;
        return true;
    }
    return false;
}

bool aper__image_size(const unsigned char *data, size_t size,
                      uint32_t *ret_width, uint32_t *ret_height)
{
    uint32_t width = 0;
    uint32_t height = 0;
    bool found = png_size(data, size, &width, &height)
        || jpeg_size(data, size, &width, &height)
        || webp_size(data, size, &width, &height);
    if (!found || width == 0 || height == 0)
        return false;
    *ret_width = width;
    *ret_height = height;
    return true;
}
