/* play-scores.c: the scores over all worlds of the game's mode, beside the scoreboard of this one. See play.h. */
#include <stdio.h>
#include <string.h>

#include "play.h"
#include "scores.h"
#include "world-list.h"

enum { BEST = 10 }; /* players of a table that are listed, and whoever looks, if that is another one */

void wn_play_free_scores(wn_play *play)
{
    if (play->scores.list != NULL) {
        warren__score_list__free_unpacked(play->scores.list, NULL);
    }
    play->scores = (wn_all_scores){0};
}

bool wn_play_has_all_scores(const wn_play *play)
{
    const wn_replica *replica = wn_play_replica(play);
    return replica != NULL && replica->mode->n_tables > 0;
}

void wn_play_show_all_scores(wn_play *play, bool shown)
{
    if (!shown || !wn_play_has_all_scores(play)) {
        play->scores.shown = false;
        return;
    }
    wn_play_free_scores(play);
    play->scores.shown = true;
    play->scores.request = wn_client_list_scores(play->client, wn_play_replica(play)->mode->name, NULL, NULL);
    if (play->scores.request == 0) {
        snprintf(play->scores.trouble, sizeof play->scores.trouble,
                 "That was not sent: the server has not answered your last requests yet.");
    }
}

bool wn_play_take_scores(wn_play *play, const wn_event *event)
{
    wn_all_scores *scores = &play->scores;
    if (event->request == 0 || event->request != scores->request ||
        (event->kind != WN_EVENT_REPLY && event->kind != WN_EVENT_ERROR)) {
        return false;
    }
    scores->request = 0;
    if (event->kind == WN_EVENT_ERROR) {
        snprintf(scores->trouble, sizeof scores->trouble, "%s", event->error.text);
    } else if (event->reply->body_case == WARREN__REPLY__BODY_SCORES && wn_scores_whole(event->reply->scores)) {
        scores->list = (Warren__ScoreList *)wn_message_copy(&event->reply->scores->base);
    }
    if (scores->list == NULL && scores->trouble[0] == '\0') {
        snprintf(scores->trouble, sizeof scores->trouble, "The server sent scores that cannot be shown.");
    }
    return true;
}

/* what there is to draw */

typedef void add_line(void *context, const wn_score_line *line);

static void add_table(const wn_play *play, uint32_t index, add_line *add, void *context)
{
    Warren__ScoreList *list = play->scores.list;
    const Warren__ScoreTable *table = list->tables[index];
    const char *self = wn_client_player(play->client);
    char value[32];
    wn_scores_order(list, index);
    add(context, &(wn_score_line){.kind = WN_SCORES_TITLE, .text = wn_score_title(table)});
    for (size_t i = 0; i < list->n_players; i++) {
        const Warren__ScoreValue *score = wn_score_of(list->players[i], index);
        const bool own = strcmp(list->players[i]->player, self) == 0;
        if (score == NULL) {
            return;
        }
        if (i >= BEST && !own) {
            continue;
        }
        wn_score_text(table, score->value, value, sizeof value);
        add(context, &(wn_score_line){.kind = own ? WN_SCORES_OWN : WN_SCORES_ROW,
                                      .rank = i + 1,
                                      .text = list->players[i]->player,
                                      .value = value,
                                      .detail = score->detail == NULL ? "" : score->detail});
    }
}

void wn_play_all_scores(const wn_play *play, add_line *add, void *context)
{
    const wn_all_scores *scores = &play->scores;
    const char *note = scores->trouble[0] != '\0'    ? scores->trouble
                       : scores->list == NULL        ? "asking for the scores"
                       : scores->list->n_tables == 0 ? "nobody has a score yet"
                                                     : NULL;
    if (note != NULL) {
        add(context, &(wn_score_line){.kind = WN_SCORES_NOTE, .text = note});
        return;
    }
    for (uint32_t i = 0; i < scores->list->n_tables; i++) {
        add_table(play, i, add, context);
    }
}
