/* ink.c: areas, lines and text. See ink.h. */
#include "ink.h"

#include <string.h>

#include "text.h"

static const struct {
    wn_face face;
    int pixels;
} styles[WN_STYLES] = {
    [WN_STYLE_SMALL] = {WN_FACE_PLAIN, 12},  [WN_STYLE_BODY] = {WN_FACE_PLAIN, 14},
    [WN_STYLE_BOLD] = {WN_FACE_BOLD, 14},    [WN_STYLE_MONO] = {WN_FACE_MONO, 14},
    [WN_STYLE_HEADING] = {WN_FACE_BOLD, 17}, [WN_STYLE_TITLE] = {WN_FACE_BOLD, 34},
};

static int pixels_of(const wn_ink *ink, wn_style style)
{
    return (int)((float)styles[style].pixels * ink->scale + 0.5F);
}

int wn_ink_units(const wn_ink *ink, int pixels)
{
    const int scaled = (int)((float)pixels * ink->scale + 0.5F);
    return pixels > 0 && scaled < 1 ? 1 : scaled;
}

/* areas */

static SDL_Color colour_of(const wn_ink *ink, uint32_t colour, uint8_t opacity)
{
    const uint32_t mapped = wn_palette_map(ink->palette, colour & 0xffffff);
    return (SDL_Color){(uint8_t)(mapped >> 16), (uint8_t)(mapped >> 8), (uint8_t)mapped, opacity};
}

void wn_ink_area(const wn_ink *ink, SDL_Rect rect, uint32_t colour, uint8_t opacity)
{
    const SDL_Color wanted = colour_of(ink, colour, opacity);
    SDL_SetRenderDrawBlendMode(ink->renderer, opacity == 255 ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(ink->renderer, wanted.r, wanted.g, wanted.b, wanted.a);
    SDL_RenderFillRect(ink->renderer, &rect);
}

void wn_ink_frame(const wn_ink *ink, SDL_Rect rect, uint32_t colour)
{
    const int width = wn_ink_units(ink, 1);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y, rect.w, width}, colour, 255);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y + rect.h - width, rect.w, width}, colour, 255);
    wn_ink_area(ink, (SDL_Rect){rect.x, rect.y, width, rect.h}, colour, 255);
    wn_ink_area(ink, (SDL_Rect){rect.x + rect.w - width, rect.y, width, rect.h}, colour, 255);
}

void wn_ink_clip(const wn_ink *ink, const SDL_Rect *rect)
{
    SDL_RenderSetClipRect(ink->renderer, rect);
}

/* text */

int wn_ink_line(const wn_ink *ink, wn_style style)
{
    return wn_fonts_height(ink->fonts, styles[style].face, pixels_of(ink, style));
}

/* How many bytes of the line fit into `room`, and how wide they are. */
static size_t fit(const wn_ink *ink, wn_style style, const char *text, int room, int *used)
{
    const int pixels = pixels_of(ink, style);
    const wn_face face = styles[style].face;
    size_t bytes = 0;
    uint32_t code, before = 0;
    int width = 0;
    for (size_t step; text[bytes] != '\n' && (step = wn_utf8_next(text + bytes, &code)) > 0; bytes += step) {
        const int more = wn_fonts_glyph(ink->fonts, face, pixels, code).advance +
                         wn_fonts_kerning(ink->fonts, face, pixels, before, code);
        if (width + more > room) {
            break;
        }
        width += more;
        before = code;
    }
    if (used != NULL) {
        *used = width;
    }
    return bytes;
}

int wn_ink_width(const wn_ink *ink, wn_style style, const char *text)
{
    int width;
    fit(ink, style, text, 1 << 28, &width);
    return width;
}

static int draw_bytes(const wn_ink *ink, wn_style style, int x, int y, uint32_t colour, const char *text, size_t bytes)
{
    const int pixels = pixels_of(ink, style), start = x;
    const wn_face face = styles[style].face;
    const SDL_Color wanted = colour_of(ink, colour, 255);
    uint32_t code, before = 0;
    for (size_t at = 0, step; at < bytes && (step = wn_utf8_next(text + at, &code)) > 0; at += step) {
        const wn_glyph glyph = wn_fonts_glyph(ink->fonts, face, pixels, code);
        x += wn_fonts_kerning(ink->fonts, face, pixels, before, code);
        if (glyph.texture != NULL) {
            const SDL_Rect to = {x + glyph.left, y, glyph.from.w, glyph.from.h};
            SDL_SetTextureColorMod(glyph.texture, wanted.r, wanted.g, wanted.b);
            SDL_SetTextureAlphaMod(glyph.texture, 255);
            SDL_RenderCopy(ink->renderer, glyph.texture, &glyph.from, &to);
        }
        x += glyph.advance;
        before = code;
    }
    return x - start;
}

int wn_ink_text(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text)
{
    static const char dots[] = "\xe2\x80\xa6";
    size_t bytes = fit(ink, style, text, room, NULL);
    if (text[bytes] == '\0' || text[bytes] == '\n') {
        return draw_bytes(ink, style, x, y, colour, text, bytes);
    }
    const int end = wn_ink_width(ink, style, dots);
    if (room < end) {
        return 0;
    }
    bytes = fit(ink, style, text, room - end, NULL);
    const int used = draw_bytes(ink, style, x, y, colour, text, bytes);
    return used + draw_bytes(ink, style, x + used, y, colour, dots, sizeof dots - 1);
}

int wn_ink_right(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text)
{
    const int width = wn_ink_width(ink, style, text), spare = width < room ? room - width : 0;
    return wn_ink_text(ink, style, x + spare, y, room - spare, colour, text);
}

int wn_ink_centre(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text)
{
    const int width = wn_ink_width(ink, style, text), spare = width < room ? (room - width) / 2 : 0;
    return wn_ink_text(ink, style, x + spare, y, room - spare, colour, text);
}

size_t wn_ink_break(const wn_ink *ink, wn_style style, int room, const char *text, const char **next)
{
    size_t bytes = fit(ink, style, text, room, NULL);
    const char *after = text + bytes;
    if (*after != '\0' && *after != '\n') {
        size_t at = bytes;
        while (at > 0 && text[at] != ' ') {
            at--;
        }
        bytes = at > 0 ? at : bytes;
        if (bytes == 0) { /* not even one character fits: go on all the same */
            uint32_t code;
            bytes = wn_utf8_next(text, &code);
        }
        after = text + bytes;
    }
    if (*after == '\n') {
        after++;
    } else {
        after += strspn(after, " ");
    }
    *next = *after == '\0' ? NULL : after;
    return bytes;
}

int wn_ink_wrap(const wn_ink *ink, wn_style style, int x, int y, int room, uint32_t colour, const char *text)
{
    const int line = wn_ink_line(ink, style), start = y;
    while (text != NULL) {
        const char *next;
        const size_t bytes = wn_ink_break(ink, style, room, text, &next);
        if (colour != WN_INK_NONE) {
            draw_bytes(ink, style, x, y, colour, text, bytes);
        }
        y += line;
        text = next;
    }
    return y - start;
}

/* A few sizes are enough, scaled between them: a picture that grows does not need a font for each of its sizes. */
static int glyph_pixels(float height)
{
    static const int sizes[] = {12, 16, 24, 32, 48, 72};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        if ((float)sizes[i] >= height * 0.8F) {
            return sizes[i];
        }
    }
    return 72;
}

void wn_ink_glyph(const wn_ink *ink, SDL_FRect rect, uint32_t code, bool bold, uint32_t colour, uint8_t opacity)
{
    const int pixels = glyph_pixels(rect.h);
    const wn_glyph glyph = wn_fonts_glyph(ink->fonts, bold ? WN_FACE_BOLD : WN_FACE_MONO, pixels, code);
    if (glyph.texture == NULL) {
        return;
    }
    const float line = (float)wn_fonts_height(ink->fonts, bold ? WN_FACE_BOLD : WN_FACE_MONO, pixels);
    const float part = rect.h / line;
    const float width = (float)glyph.from.w * part, height = (float)glyph.from.h * part;
    const SDL_FRect to = {rect.x + (rect.w - width) / 2, rect.y + (rect.h - height) / 2, width, height};
    const SDL_Color wanted = colour_of(ink, colour, opacity);
    SDL_SetTextureColorMod(glyph.texture, wanted.r, wanted.g, wanted.b);
    SDL_SetTextureAlphaMod(glyph.texture, opacity);
    SDL_RenderCopyF(ink->renderer, glyph.texture, &glyph.from, &to);
}
