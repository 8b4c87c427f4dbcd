/* fonts.c: the fonts and their glyphs. See fonts.h. */
#include "fonts.h"

#include <SDL_ttf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 1024, OPEN_FONTS = 24, SLOTS = 4096, PATH_BYTES = 512 };

/* Of the packages fonts-dejavu-core, as Debian and others have it. */
static const char *const directories[] = {"/usr/share/fonts/truetype/dejavu", "/usr/share/fonts/dejavu",
                                          "/usr/share/fonts/TTF", "/usr/local/share/fonts/dejavu"};
static const char *const names[WN_FACES] = {
    [WN_FACE_PLAIN] = "DejaVuSans.ttf", [WN_FACE_BOLD] = "DejaVuSans-Bold.ttf", [WN_FACE_MONO] = "DejaVuSansMono.ttf"};
static const char *const patterns[WN_FACES] = {
    [WN_FACE_PLAIN] = "sans", [WN_FACE_BOLD] = "sans:bold", [WN_FACE_MONO] = "monospace"};

typedef struct opened {
    TTF_Font *font; /* NULL: free */
    wn_face face;
    int pixels;
    uint64_t used;
} opened;

typedef struct slot {
    uint32_t code; /* 0: free */
    int pixels;
    wn_face face;
    wn_glyph glyph;
} slot;

struct wn_fonts {
    SDL_Renderer *renderer;
    char paths[WN_FACES][PATH_BYTES];
    opened open[OPEN_FONTS];
    uint64_t uses;
    SDL_Texture *page;
    int x, y, row; /* where the next glyph goes; the height of its row */
    slot slots[SLOTS];
    size_t slot_count;
};

/* finding them */

static bool find_known(char *path, wn_face face)
{
    for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
        snprintf(path, PATH_BYTES, "%s/%s", directories[i], names[face]);
        if (access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

/* fc-match is fontconfig's own program: asking it needs no library at run time. */
static bool find_by_fontconfig(char *path, wn_face face)
{
    char command[96];
    snprintf(command, sizeof command, "fc-match -f '%%{file}\\n' '%s' 2>/dev/null", patterns[face]);
    FILE *answer = popen(command, "re");
    if (answer == NULL) {
        return false;
    }
    if (fgets(path, PATH_BYTES, answer) == NULL) {
        path[0] = '\0';
    }
    pclose(answer);
    path[strcspn(path, "\n")] = '\0';
    return path[0] == '/' && access(path, R_OK) == 0;
}

static bool find_all(wn_fonts *fonts, const char *file, wn_error *error)
{
    for (int face = 0; face < WN_FACES; face++) {
        char *path = fonts->paths[face];
        if (file != NULL) {
            snprintf(path, PATH_BYTES, "%s", file);
        } else if (!find_known(path, (wn_face)face) && !find_by_fontconfig(path, (wn_face)face)) {
            return wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "font", 0,
                                "No font was found to write with. Install the package fonts-dejavu-core, or name a "
                                "font with --font FILE.");
        }
    }
    return true;
}

static void close_all(wn_fonts *fonts)
{
    for (size_t i = 0; i < OPEN_FONTS; i++) {
        if (fonts->open[i].font != NULL) {
            TTF_CloseFont(fonts->open[i].font);
        }
        fonts->open[i].font = NULL;
    }
}

/* The font in that size; of those that are open the one that was not used for longest makes room. */
static TTF_Font *font_of(wn_fonts *fonts, wn_face face, int pixels)
{
    opened *oldest = &fonts->open[0];
    for (size_t i = 0; i < OPEN_FONTS; i++) {
        opened *at = &fonts->open[i];
        if (at->font != NULL && at->face == face && at->pixels == pixels) {
            at->used = ++fonts->uses;
            return at->font;
        }
        if (at->font == NULL || (oldest->font != NULL && at->used < oldest->used)) {
            oldest = at;
        }
    }
    if (oldest->font != NULL) {
        TTF_CloseFont(oldest->font);
    }
    *oldest = (opened){
        .font = TTF_OpenFont(fonts->paths[face], pixels), .face = face, .pixels = pixels, .used = ++fonts->uses};
    return oldest->font;
}

wn_fonts *wn_fonts_new(SDL_Renderer *renderer, const char *file, wn_error *error)
{
    wn_fonts *fonts = calloc(1, sizeof *fonts);
    if (fonts == NULL || (!TTF_WasInit() && TTF_Init() != 0)) {
        free(fonts);
        wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "font", 0,
                     "The font library could not be started: %.200s.", TTF_GetError());
        return NULL;
    }
    fonts->renderer = renderer;
    bool found = find_all(fonts, file, error);
    for (int face = 0; found && face < WN_FACES; face++) {
        if (font_of(fonts, (wn_face)face, 16) == NULL) {
            found =
                wn_fail_with(error, WARREN__ERROR_CODE__ERROR_UNAVAILABLE, "font", 0,
                             "The font %.300s cannot be read. Name another one with --font FILE.", fonts->paths[face]);
        }
    }
    if (!found) {
        wn_fonts_free(fonts);
        return NULL;
    }
    return fonts;
}

void wn_fonts_forget(wn_fonts *fonts)
{
    if (fonts->page != NULL) {
        SDL_DestroyTexture(fonts->page);
    }
    fonts->page = NULL;
    fonts->x = fonts->y = fonts->row = 0;
    memset(fonts->slots, 0, sizeof fonts->slots);
    fonts->slot_count = 0;
}

void wn_fonts_free(wn_fonts *fonts)
{
    if (fonts == NULL) {
        return;
    }
    wn_fonts_forget(fonts);
    close_all(fonts);
    TTF_Quit();
    free(fonts);
}

/* glyphs */

static slot *slot_of(wn_fonts *fonts, wn_face face, int pixels, uint32_t code)
{
    size_t at = (code * 2654435761u ^ (uint32_t)pixels * 40503u ^ (uint32_t)face * 97u) % SLOTS;
    while (fonts->slots[at].code != 0 &&
           (fonts->slots[at].code != code || fonts->slots[at].pixels != pixels || fonts->slots[at].face != face)) {
        at = (at + 1) % SLOTS;
    }
    return &fonts->slots[at];
}

static bool make_page(wn_fonts *fonts)
{
    if (fonts->page != NULL) {
        return true;
    }
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "linear");
    fonts->page = SDL_CreateTexture(fonts->renderer, SDL_PIXELFORMAT_ARGB8888, SDL_TEXTUREACCESS_STATIC, PAGE, PAGE);
    if (fonts->page == NULL) {
        return false;
    }
    SDL_SetTextureBlendMode(fonts->page, SDL_BLENDMODE_BLEND);
    return true;
}

/* A place for it on the page. When that is full, the page begins anew: what is in sight is soon there again. */
static bool place(wn_fonts *fonts, int width, int height, SDL_Rect *rect)
{
    if (width + 1 > PAGE || height + 1 > PAGE) {
        return false;
    }
    if (fonts->x + width + 1 > PAGE) {
        fonts->x = 0;
        fonts->y += fonts->row;
        fonts->row = 0;
    }
    if (fonts->y + height + 1 > PAGE) {
        return false;
    }
    *rect = (SDL_Rect){fonts->x, fonts->y, width, height};
    fonts->x += width + 1;
    fonts->row = height + 1 > fonts->row ? height + 1 : fonts->row;
    return true;
}

static wn_glyph draw(wn_fonts *fonts, TTF_Font *font, uint32_t code)
{
    wn_glyph glyph = {0};
    int left, right, bottom, top;
    if (TTF_GlyphMetrics32(font, code, &left, &right, &bottom, &top, &glyph.advance) != 0 || right <= left) {
        return glyph;
    }
    SDL_Surface *drawn = TTF_RenderGlyph32_Blended(font, code, (SDL_Color){255, 255, 255, 255});
    if (drawn == NULL) {
        return glyph;
    }
    SDL_Surface *pixels = SDL_ConvertSurfaceFormat(drawn, SDL_PIXELFORMAT_ARGB8888, 0);
    if (pixels != NULL && make_page(fonts) && place(fonts, pixels->w, pixels->h, &glyph.from) &&
        SDL_UpdateTexture(fonts->page, &glyph.from, pixels->pixels, pixels->pitch) == 0) {
        glyph.texture = fonts->page;
        glyph.left = left < 0 ? left : 0;
    }
    SDL_FreeSurface(pixels);
    SDL_FreeSurface(drawn);
    return glyph;
}

wn_glyph wn_fonts_glyph(wn_fonts *fonts, wn_face face, int pixels, uint32_t code)
{
    slot *at = slot_of(fonts, face, pixels, code);
    if (at->code == code) {
        return at->glyph;
    }
    TTF_Font *font = font_of(fonts, face, pixels);
    if (font == NULL) {
        return (wn_glyph){0};
    }
    wn_glyph glyph = draw(fonts, font, code);
    const bool full = glyph.texture == NULL && glyph.from.w == 0 && fonts->y > PAGE / 2;
    if (fonts->slot_count > SLOTS / 2 || (full && code > ' ')) {
        SDL_RenderFlush(fonts->renderer);
        wn_fonts_forget(fonts);
        glyph = draw(fonts, font, code);
    }
    at = slot_of(fonts, face, pixels, code);
    *at = (slot){.code = code, .pixels = pixels, .face = face, .glyph = glyph};
    fonts->slot_count++;
    return glyph;
}

int wn_fonts_kerning(wn_fonts *fonts, wn_face face, int pixels, uint32_t before, uint32_t code)
{
    TTF_Font *font = before == 0 || face == WN_FACE_MONO ? NULL : font_of(fonts, face, pixels);
    return font == NULL ? 0 : TTF_GetFontKerningSizeGlyphs32(font, before, code);
}

int wn_fonts_height(wn_fonts *fonts, wn_face face, int pixels)
{
    TTF_Font *font = font_of(fonts, face, pixels);
    return font == NULL ? pixels : TTF_FontHeight(font);
}
