"""The picture frontend in a window, with real keys and clicks: what is done there happens. What happens to the window and
to the server is in window_state_test.py, what games look like in window_pictures_test.py."""

import os
import unittest

from daemon import messages, wait_for
from windows import Windows


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


if __name__ == "__main__":
    unittest.main()
