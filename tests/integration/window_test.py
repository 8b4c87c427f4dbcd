"""The picture frontend in a window, with real keys and clicks: what is done there happens. What happens to the window
and to the server is in window_state_test.py, what games look like in window_pictures_test.py."""

import os
import unittest

from daemon import BUILD, Client, messages, wait_for
from windows import Windows


GOLD = (236, 185, 100)  # the upper edge of a sheet


def lines_of_text(picture):
    """Of a sheet of 420 pixels in a window of 640: runs of rows with something bright in them."""
    top = next(y for y in range(picture.height) if picture.at(320, y) == GOLD) + 4
    end = next(y for y in range(top, picture.height) if max(picture.at(120, y)) > 0x30)  # the lower edge
    bright = [False] + [max(row[3 * 130:3 * 500]) > 0x60 for row in picture.rows[top:end]]
    return sum(this and not before for before, this in zip(bright, bright[1:]))


class Playing(Windows):
    def test_keys_and_clicks_become_commands(self):
        world = self.world(width=30, height=20, lichens=0)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        before = self.info(world).turn
        window.key("Escape", "period", "period")
        self.wait_for_turns(world, before + 2)
        window.still()
        middle = self.info(world).turn
        window.click(320, 240)
        self.wait_for_turns(world, middle + 1)

    def test_a_world_is_made_in_the_form_and_left_by_the_menu(self):
        window = self.play()
        window.still()
        window.key("c")
        window.still()
        window.key("Return")
        window.still()
        window.type("mine")
        window.key("Return")
        wait_for(lambda: any(w.name == "mine" for w in self.client.request(
            list_worlds=messages.ListWorlds()).worlds.worlds), "the world")
        self.wait_for_player("mine")
        window.still()
        window.key("Escape", "F10")
        window.still()
        window.key("y")
        self.wait_for_player("mine", 0)

    def test_help_takes_the_keys_before_the_game_and_escape_leaves_a_world_that_was_closed(self):
        world = self.world(width=30, height=20)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        self.client.request(close=messages.CloseWorld(world=world))
        wait_for(lambda: not self.client.request(list_worlds=messages.ListWorlds()).worlds.worlds, "no world")
        before = window.still()
        def left():
            window.key("Escape")  # at first it may have been meant for the game
            return window.above_the_bar(window.picture()) != window.above_the_bar(before)
        wait_for(left, "the list of worlds")
        window.still()
        window.key("F1", "c", "Return", "Return", "Escape")  # no world is made of those
        window.still()
        window.key("c")
        window.still()
        window.key("Return", "F1", "Return", "F1", "F1")
        window.type("mine")
        window.key("Return")
        wait_for(lambda: self.client.request(list_worlds=messages.ListWorlds()).worlds.worlds, "the world")
        self.wait_for_player("mine")
        self.assertEqual(len(self.client.request(list_worlds=messages.ListWorlds()).worlds.worlds), 1)

    def test_another_world_like_one_that_is_over_is_a_key_away(self):
        world = self.world(width=24, height=16, lichens=3, growth_permille=1000, overrun=2)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        window.key("Escape", "period", "period")
        wait_for(lambda: self.info(world).outcome, "the end")
        window.still()
        window.key("n")
        wait_for(lambda: [w for w in self.client.request(list_worlds=messages.ListWorlds()).worlds.worlds
                          if w.name != world and w.players == 1], "the player in another world")
        self.wait_for_player(world, 0)

    def test_what_is_typed_is_said(self):
        world = self.world(width=30, height=20)
        window = self.play("--world", world)
        self.wait_for_player(world)
        view = self.client.watch(world)
        window.still()
        window.key("t")
        window.still()
        window.type("well met")
        window.key("Return")
        def heard():
            self.client.drain(view)
            return "well met" in view.texts()
        wait_for(heard, "the words")

    def test_a_new_key_is_kept_in_the_key_file(self):
        world = self.world(width=30, height=20, lichens=0)
        window = self.play("--world", world)
        self.wait_for_player(world)
        window.still()
        window.key("Escape", "F6", "End", "Return")
        window.still()
        window.key(*["Down"] * 9, "Return", "z")
        path = f"{window.directory}/config/warren/keys.conf"
        wait_for(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "the key file")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), "[caves]\nrest = z\n")
        window.key("Escape")
        window.still()
        turn = self.info(world).turn
        window.key("z")
        self.wait_for_turns(world, turn + 1)


    def test_the_scores_have_everyone_and_scroll_when_there_are_more_than_fit(self):
        self.client.create("hunt", "h", 5)
        others = [Client(self.daemon, f"player-{number}") for number in range(12)]
        for other in others:
            self.addCleanup(other.__exit__)
        window = self.play("--world", "h", size="640x300")
        self.wait_for_player("h")
        window.still()
        window.key("Escape")  # what the mode shows first
        for count in (2, 3, 13):
            for other in others[:count - 1]:
                if not other.views:
                    other.join("h")
            self.wait_for_player("h", count)
            window.still()
            window.key("F5")
            if count < 13:
                # Title, the columns' names, a row for each, what closes it; they come when the server has answered.
                wait_for(lambda: lines_of_text(window.still()) == 3 + count, "the rows of the scores")
            else:
                whole = window.still()
                window.key("End")
                self.assertGreater(sum(a != b for a, b in zip(whole.rows, window.still().rows)), 20)
            window.key("Escape")


    def test_a_note_ends_with_the_screen_that_it_is_about(self):
        world = self.world(width=30, height=20, lichens=0)
        window = self.play()
        bars = []
        for _ in range(2):
            self.wait_for_player(world, 0)
            window.still()  # each picture leaves a note
            window.key("Return")
            self.wait_for_player(world, 1)
            window.still()
            window.key("Escape", "F7", "F10", "y")
            self.wait_for_player(world, 0)
            bars.append(window.picture().rows[-28:])
        self.assertTrue(bars[0] == bars[1], "the same keys in both")

    def test_who_watches_from_inside_stands_in_the_part_that_was_chosen(self):
        self.client.create("polar", "p")
        ann, bob = (Client(self.daemon, player) for player in ("ann", "bob"))
        for other in (ann, bob):
            self.addCleanup(other.__exit__)
            view = other.join("p")
        face = next(a for a in view.joined.mode.actions if a.name == "face")
        bob.play(view, face.id, 6)  # away from what ann has before her
        window = self.play("--watch", "--world", "p")
        window.still()
        def seen():
            picture = window.still()  # all but the small view from above, messages and panel
            return [row[:3 * 250] for row in picture.rows[34:200]]
        window.key("Tab", "shift+v")
        of_ann = seen()
        window.key("Tab")
        wait_for(lambda: sum(a != b for a, b in zip(of_ann, seen())) > 60, "bob's view")
        window.key("Tab", "Tab")
        wait_for(lambda: sum(a != b for a, b in zip(of_ann, seen())) < 5, "ann's again")


class Again(Windows):
    modes = f"{BUILD}/offers-modes"

    def there(self):
        listed = self.client.request(list_players=messages.ListPlayers()).players
        return [p.player for p in listed.players], [w.player for w in listed.watchers]

    def test_who_is_out_watches_on_says_something_and_enters_in_another_way(self):
        world = self.client.create("offers").name
        keys = f"{self.daemon.directory}/keys.conf"
        with open(keys, "w", encoding="ascii") as file:
            file.write("[offers]\ndie = x\n")
        window = self.play("--world", world, "--keys", keys)
        wait_for(lambda: self.there() == (["ann"], []), "ann in the world")
        window.still()
        window.key("x")
        wait_for(lambda: self.there() == ([], ["ann"]), "ann as a spectator")
        view = self.client.watch(world)
        def heard():
            window.key("w")  # nothing, until it is asked
            window.type("why me")
            window.key("Return")
            self.client.drain(view)
            return any("why me" in text for text in view.texts())
        wait_for(heard, "what ann has to say of it")
        window.key("Escape", "Escape", "Down", "Return", "Down", "Return")  # another way, the second
        wait_for(lambda: self.there()[0] == ["ann"], "ann in the world again")
        window.still()
        window.key("x")
        wait_for(lambda: self.there()[0] == [], "ann out of it again")
        def left():
            window.key("n")
            return self.there() == ([], ["watcher"])
        wait_for(left, "ann gone")


    def test_the_list_asks_how_to_enter_if_that_is_wanted(self):
        self.client.create("offers")
        window = self.play()
        window.still()
        def entered():
            window.key("e", "h")  # hidden, once it is asked; in the list h is no key
            return self.there()[0] == ["ann"]
        wait_for(entered, "ann in the world")


if __name__ == "__main__":
    unittest.main()
