"""What a mode can offer beyond a plain game: ways to enter, files, questions that take long, scores, late spectators,
and who watches. The mode is offers.c."""

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import tempfile
import unittest

import zmq

from daemon import BUILD, Client, Daemon, Refused, messages, sanitized, stopped_output, wait_for

MARK, ASK, ASK_LONG, ASK_CRASH, SCORE, DIE, ASK_FOREVER, ASK_MANY, SCORE_MUCH = range(1, 10)
MARKS, ANSWER, ENTRY, FILE = range(4)
NONE = 2**32 - 1


class OffersTest(unittest.TestCase):
    settings = []
    tcp = None

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="warren-offers-", dir="/tmp")
        self.addCleanup(shutil.rmtree, self.folder)
        modes = f"{self.folder}/modes"
        os.makedirs(f"{modes}/offers")
        os.makedirs(f"{self.folder}/mine/offers")
        shutil.copy(f"{BUILD}/offers-modes/offers.so", modes)
        self.write("modes/offers/first.pack", "12345\n")
        self.write("modes/offers/second.pack", "two")
        self.write("mine/offers/second.pack", "the operator's own")
        self.write("mine/offers/wrong.pack", "this is wrong")
        self.daemon = Daemon([f"daemon.mode_files={self.folder}/mine"] + self.settings, modes=modes, tcp=self.tcp)
        self.daemon.start()
        self.addCleanup(self.daemon.__exit__)

    def write(self, path, text):
        with open(f"{self.folder}/{path}", "w", encoding="utf-8") as file:
            file.write(text)

    def connect(self, player="ann"):
        client = Client(self.daemon, player)
        self.addCleanup(client.close)
        return client

    def stranger(self):
        """One of whom the server knows nothing."""
        client = Client(None, "eve", **self.daemon.tcp_addresses())
        self.addCleanup(client.close)
        return client

    def enter(self, player="ann", world="w", **settings):
        client = self.connect(player)
        client.create("offers", name=world, **settings)
        return client, client.join(world)

    def number(self, view, field):
        return view.fields[field].number if field in view.fields else None


class Entries(OffersTest):
    def join(self, client, entry):
        return client._enter(client.request(join=messages.JoinWorld(world="w", entry=entry)).joined)

    def test_a_player_enters_in_the_way_that_was_chosen_and_again_in_another(self):
        client, view = self.enter()
        self.assertEqual([entry.name for entry in view.joined.mode.entries], ["plainly", "hidden"])
        client.wait(lambda: self.number(view, ENTRY) == 0, "the first way")
        client.command(view, DIE)
        notice = wait_for(lambda: next((n.notice for n in client.take_news() if n.HasField("notice") and
                                        n.notice.kind == messages.NOTICE_SEAT_ENDED), None), "the end")
        self.assertEqual(notice.text, "fell over mark 1")
        watched = client.watch("w")
        client.request(say=messages.Say(world=watched.joined.world, text="that was the wall"))
        view = self.join(client, 1)
        client.wait(lambda: self.number(view, ENTRY) == 1, "the second way")
        self.assertTrue(any("that was the wall" in text for text in watched.texts() + view.texts()))

    def test_a_way_that_is_none_is_refused(self):
        client = self.connect("ann")
        client.create("offers", name="w")
        with self.assertRaises(Refused) as refused:
            self.join(client, 2)
        self.assertEqual(refused.exception.code, messages.ERROR_LIMIT)
        self.assertEqual((refused.exception.error.field, refused.exception.error.limit), ("entry", 1))

    def test_the_way_outlives_a_crash_of_everything(self):
        client = self.connect("ann")
        client.create("offers", name="w")
        self.join(client, 1)
        self.daemon.restart(signal.SIGKILL)
        again = self.connect("ann")
        view = again.join("w")
        again.wait(lambda: self.number(view, ENTRY) == 1, "the way it was")

    def test_no_more_commands_wait_than_the_mode_wants(self):
        client, view = self.enter()
        os.kill(self.daemon.host_pid("offers"), signal.SIGSTOP)
        try:
            for _ in range(10):
                client.command(view, MARK)
            refused = wait_for(client.command_errors, "a refusal")
        finally:
            os.kill(self.daemon.host_pid("offers"), signal.SIGCONT)
        self.assertEqual({error.limit for error in refused.values()}, {3})
        client.wait(lambda: self.number(view, MARKS) in (3, 4), "those that were taken")


class Files(OffersTest):
    def test_a_world_is_made_with_what_is_in_the_file(self):
        client, view = self.enter(pack="first.pack")
        client.play(view, ASK)
        client.wait(lambda: self.number(view, ANSWER) == 6, "the length of the file")
        self.assertEqual(view.fields[FILE].text, "first.pack")
        world = client.request(list_worlds=messages.ListWorlds()).worlds.worlds[0]
        self.assertEqual([(s.name, s.value) for s in world.settings], [("pack", "first.pack")])

    def test_the_operators_files_come_before_the_modes(self):
        client, view = self.enter(pack="second.pack")
        client.play(view, ASK)
        client.wait(lambda: self.number(view, ANSWER) == len("the operator's own"), "the length of the file")

    def test_the_files_there_are_are_listed_with_the_setting(self):
        with Client(self.daemon, "ann") as client:
            mode = client.request(list_modes=messages.ListModes()).modes.modes[0]
        pack = next(setting for setting in mode.settings if setting.name == "pack")
        self.assertEqual(list(pack.choices), ["first.pack", "second.pack", "wrong.pack"])

    def test_a_world_keeps_its_file_whatever_becomes_of_it(self):
        client, _ = self.enter(pack="first.pack")
        os.remove(f"{self.folder}/modes/offers/first.pack")
        self.daemon.restart(signal.SIGKILL)
        again = self.connect("ann")
        view = again.join("w")
        again.play(view, ASK)
        again.wait(lambda: self.number(view, ANSWER) == 6, "the length of the file")

    def refused(self, file):
        with Client(self.daemon, "ann") as client, self.assertRaises(Refused) as refused:
            client.create("offers", pack=file)
        self.assertEqual(refused.exception.code, messages.ERROR_BAD_SETTING)
        return refused.exception.error

    def test_what_cannot_be_had_is_refused_with_the_reason(self):
        self.assertIn("no such file", self.refused("third.pack").text)
        self.assertEqual(self.refused("third.pack").field, "pack")
        self.assertIn("without a directory", self.refused("../modes/offers/first.pack").text)
        self.assertIn("without a directory", self.refused("/etc/passwd").text)
        os.makedirs(f"{self.folder}/mine/offers/folder")
        self.assertIn("not a plain file", self.refused("folder").text)
        self.write("mine/offers/large", "x" * (2**20 + 1))
        self.assertIn("1 MiB", self.refused("large").text)
        self.write("mine/offers/zero", "a\0b")
        self.assertIn("NUL", self.refused("zero").text)

    def test_what_the_mode_does_not_like_it_says_with_name_line_and_column(self):
        self.assertIn("wrong.pack:1:7: expected a right word", self.refused("wrong.pack").text)

    def test_a_word_stands_for_the_least(self):
        client, _ = self.enter(delay="OFF")
        world = client.request(list_worlds=messages.ListWorlds()).worlds.worlds[0]
        self.assertEqual([s.value for s in world.settings if s.name == "delay"], ["0"])
        with self.assertRaises(Refused) as refused:
            client.create("offers", delay="never")
        self.assertIn("0 to 100 or off", str(refused.exception))


class Memory(OffersTest):
    settings = ["hosts.memory_mib=64", "limits.worlds_per_player=1000"]

    @unittest.skipIf(sanitized(), "a sanitizer's memory is not counted")
    def test_a_mode_that_has_little_left_makes_no_world_and_goes_on_with_those_there_are(self):
        self.write("mine/offers/large", "x" * 2**20)
        client, view = self.enter()
        host = self.daemon.host_pid("offers")
        made = []
        with self.assertRaises(Refused) as refused:
            while len(made) < 64:
                made.append(client.create("offers", pack="large").name)
        self.assertIn("of the 64 that they may (hosts.memory_mib)", str(refused.exception))
        client.play(view, MARK)
        client.request(close=messages.CloseWorld(world=made[0]))
        client.create("offers", pack="large")
        self.assertEqual(self.daemon.host_pid("offers"), host)


class Questions(OffersTest):
    def test_the_world_goes_on_while_a_question_is_worked_on_and_hears_when_it_took_too_long(self):
        client, view = self.enter()
        client.play(view, ASK_LONG)
        client.play(view, MARK)
        self.assertEqual(self.number(view, ANSWER), 0)
        client.wait(lambda: self.number(view, ANSWER) == NONE, "no answer")
        client.play(view, ASK)
        client.wait(lambda: "answered 0" in view.texts() and self.number(view, ANSWER) == 0, "an answer afterwards")

    def test_work_that_crashes_is_no_answer_and_harms_nobody(self):
        client, view = self.enter(pack="first.pack")
        host = self.daemon.host_pid("offers")
        client.play(view, ASK_CRASH)
        client.wait(lambda: self.number(view, ANSWER) == NONE, "no answer")
        self.assertEqual(self.daemon.host_pid("offers"), host)
        client.play(view, ASK)
        client.wait(lambda: self.number(view, ANSWER) == 6, "an answer afterwards")

    def test_a_question_outlives_the_host_and_the_daemon(self):
        client, view = self.enter(pack="first.pack")
        client.play(view, ASK_LONG)
        client.play(view, ASK)  # replaces it, and waits behind it
        os.kill(self.daemon.host_pid("offers"), signal.SIGKILL)
        self.daemon.restart(signal.SIGKILL)
        again = self.connect("ann")
        view = again.join("w")
        again.wait(lambda: self.number(view, ANSWER) == 6, "the answer to the second")

    def test_a_world_that_is_closed_takes_its_questions_along(self):
        client, view = self.enter(world="a")
        client.play(view, ASK_FOREVER)
        client.request(close=messages.CloseWorld(world="a"))
        client.create("offers", name="b", pack="first.pack")
        view = client.join("b")
        client.play(view, ASK)
        client.wait(lambda: self.number(view, ANSWER) == 6, "the answer to the other world's")

    def test_a_question_that_was_replaced_or_whose_world_is_gone_is_not_waited_for(self):
        client, view = self.enter(pack="first.pack")
        client.play(view, ASK_FOREVER)
        client.play(view, ASK_FOREVER)
        client.play(view, ASK)
        client.wait(lambda: self.number(view, ANSWER) == 6, "the answer to the last")
        client.create("offers", name="a")
        client.play(client.join("a"), ASK_FOREVER)
        client.request(close=messages.CloseWorld(world="a"))
        client.play(view, MARK)
        client.play(view, ASK)
        client.wait(lambda: view.texts().count("answered 0") == 2, "an answer after the other world was closed")

    def test_a_turn_may_replace_more_questions_than_may_wait(self):
        client, view = self.enter(pack="first.pack")
        host = self.daemon.host_pid("offers")
        client.play(view, ASK_MANY)
        client.wait(lambda: self.number(view, ANSWER) == 6, "the answer to the last")
        self.assertEqual(self.daemon.host_pid("offers"), host)

    def test_however_many_a_world_asks_the_other_worlds_come_in_between(self):
        client, flood = self.enter(world="flood")
        client.create("offers", name="other")
        other = client.join("other")
        crowd = [(client, flood)]
        for player in ("bob", "eve", "sue"):
            one = self.connect(player)
            crowd.append((one, one.join("flood")))
        answers = []

        def take():
            for view in (flood, other):
                known = {text for world, text in answers if world == view.joined.name}
                answers.extend((view.joined.name, text) for text in view.texts()
                               if text.startswith("answered") and text not in known)
            return len(answers) == 5

        def step():
            with contextlib.suppress(zmq.Again):
                key, body = client.updates.recv_multipart(zmq.NOBLOCK)
                client.keys[key].apply(messages.Update.FromString(body))
            return take()
        os.kill(self.daemon.host_pid("offers"), signal.SIGSTOP)
        try:
            for one, view in crowd:
                one.command(view, ASK_LONG)
                one.alive()
            client.command(other, ASK)
            client.alive()
        finally:
            os.kill(self.daemon.host_pid("offers"), signal.SIGCONT)
        wait_for(step, "all answers")
        self.assertEqual(answers[1], ("other", "answered 0"))


class Bots(OffersTest):
    settings = [f"daemon.bot_program={BUILD}/bin/warren-bot", "limits.bots=5", "limits.bots_per_player=3"]
    tcp = True

    def stranger(self, player):
        client = Client(self.daemon, player, **self.daemon.tcp_addresses())
        self.addCleanup(client.close)
        return client

    def refused(self, client, bots):
        with self.assertRaises(Refused) as refused:
            client.create("offers", bots=bots)
        self.assertEqual(refused.exception.code, messages.ERROR_LIMIT)
        return refused.exception.error.field, refused.exception.error.limit

    def test_a_player_has_so_many_and_the_server_as_well(self):
        ann, bob, root = self.stranger("ann"), self.stranger("bob"), self.connect("root")
        self.assertEqual((ann.welcome.limits.bots, ann.welcome.limits.bots_per_player), (5, 3))
        ann.create("offers", name="a", bots=2)
        self.assertEqual(self.refused(ann, 2), ("bots_per_player", 3))
        ann.create("offers", name="b", bots=1)
        self.assertEqual(self.refused(bob, 3), ("bots", 5))
        bob.create("offers", name="c", bots=2)
        self.assertEqual(self.refused(root, 1), ("bots", 5))
        root.create("offers", name="none", bots=0)
        ann.request(close=messages.CloseWorld(world="a"))
        root.request(close=messages.CloseWorld(world="c"))

        def made():  # once the bots of the closed worlds have left
            with contextlib.suppress(Refused):
                return root.create("offers", name="d", bots=4)
        wait_for(made, "room for more")
        self.assertEqual(self.refused(bob, 1), ("bots", 5))

    def test_a_limit_that_became_lower_holds_at_the_next_start(self):
        self.connect("root").create("offers", name="w", bots=4)
        self.daemon.settings.append("limits.bots=3")
        self.daemon.restart(signal.SIGKILL)
        self.assertIn("no more than limits.bots = 3 world=w", self.daemon.log())


class Lists(OffersTest):
    tcp = True
    many = 10000

    def setUp(self):
        super().setUp()
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            store.executemany("INSERT INTO world (name, mode, owner, seed, created, outcome, parked) VALUES"
                              " (?, 'offers', 'ann', 1, 1, ?, 0)",
                              ((f"w{number}", "over " * 100) for number in range(self.many)))
        self.daemon.start()

    def test_of_more_worlds_than_a_reply_has_room_for_the_others_are_counted(self):
        listed = self.connect().request(list_worlds=messages.ListWorlds()).worlds
        self.assertGreater(len(listed.worlds), self.many // 2)
        self.assertEqual(len(listed.worlds) + listed.left_out, self.many)

    def test_lists_of_very_many_worlds_leave_the_server_time_for_other_things(self):
        asking, admin = self.stranger(), self.connect()
        with self.assertRaises(Refused) as refused:
            for _ in range(200):
                asking.request(list_worlds=messages.ListWorlds())
        self.assertEqual(refused.exception.code, messages.ERROR_UNAVAILABLE)
        self.assertIn("lists were asked for so often", str(refused.exception))
        self.assertTrue(admin.request(list_worlds=messages.ListWorlds()).worlds.worlds)


class Scores(OffersTest):
    tcp = True

    def scores(self, client, **asked):
        answer = client.request(list_scores=messages.ListScores(mode="offers", **asked)).scores
        return {player.player: {answer.tables[v.table].name: (v.value, v.detail, v.count) for v in player.values}
                for player in answer.players}, answer

    def test_scores_add_up_in_a_world_and_over_all(self):
        client, view = self.enter(world="a")
        client.play(view, SCORE)
        client.play(view, SCORE)
        other, elsewhere = self.enter("bob", world="b")
        for _ in range(4):
            other.play(elsewhere, MARK)
        other.play(elsewhere, SCORE)
        second = client.join("b")
        client.play(second, SCORE)
        self.assertEqual(self.scores(client, world="a")[0], {"ann": {
            "sum": (4, "", 2), "rating": (200, "", 2), "best hole 1": (1, "with a detail", 2),
            "unheard of": (-5, "", 2)}})
        both, answer = self.scores(client)
        self.assertEqual(both["ann"], {"sum": (6, "", 3), "rating": (400, "", 3),
                                       "best hole 1": (1, "with a detail", 3), "unheard of": (-5, "", 3)})
        self.assertEqual(both["bob"]["rating"], (500, "", 1))
        self.assertEqual([(t.name, t.title, t.kind, t.decimals) for t in answer.tables], [
            ("sum", "Sum", messages.SCORE_SUM, 0), ("rating", "Rating", messages.SCORE_RATING, 2),
            ("best hole 1", "best hole 1", messages.SCORE_LOWEST, 0), ("unheard of", "", messages.SCORE_HIGHEST, 0)])
        self.assertEqual(list(self.scores(client, player="bob")[0]), ["bob"])

    def test_sums_end_where_numbers_do(self):
        most, least = 2**63 - 1, -2**63
        client, view = self.enter(world="a")
        client.play(view, SCORE_MUCH)
        client.create("offers", name="b")
        other = client.join("b")
        client.play(other, SCORE_MUCH)
        of_all = self.scores(client)[0]["ann"]
        self.assertEqual((of_all["sum"][0], of_all["debts"][0]), (most, least))
        client.play(other, SCORE_MUCH)
        self.assertEqual(self.scores(client, world="b")[0]["ann"]["sum"][0], most)

    def test_scores_outlive_their_world_and_the_daemon(self):
        client, view = self.enter()
        client.play(view, SCORE)
        client.request(close=messages.CloseWorld(world="w"))
        self.daemon.restart(signal.SIGKILL)
        with Client(self.daemon, "ann") as again:
            self.assertEqual(self.scores(again)[0]["ann"]["sum"], (2, "", 1))

    def test_lists_of_very_many_scores_leave_the_server_time_for_other_things(self):
        client, view = self.enter()
        client.play(view, SCORE)
        self.daemon.stop()
        with contextlib.closing(sqlite3.connect(f"{self.daemon.directory}/state/warren.db")) as store, store:
            columns = [row[1] for row in store.execute("PRAGMA table_info(score)")]
            row = dict(zip(columns, store.execute("SELECT * FROM score WHERE list = 'sum'").fetchone()))
            store.executemany(f"INSERT INTO score VALUES ({','.join(':' + column for column in columns)})",
                              (dict(row, player=f"player {number}") for number in range(20000)))
        self.daemon.start()
        again = self.stranger()
        self.assertEqual(len(self.scores(again)[0]), 1000)
        for number in range(1000):
            again.send(9000 + number, list_scores=messages.ListScores(mode="offers"))
        refused = again.wait_news(lambda n: n.id >= 9000 and n.HasField("error"), "a refusal").error
        self.assertEqual(refused.code, messages.ERROR_UNAVAILABLE)
        self.assertIn("lists were asked for so often", refused.text)
        self.assertEqual(len(self.scores(self.connect("bob"))[0]), 1000)  # an administrator

        def listed():
            with contextlib.suppress(Refused):
                return self.scores(again)
        wait_for(listed, "a list, after a while")

    def warrenctl(self, *arguments):
        return stopped_output([f"{BUILD}/bin/warrenctl", "-s", f"{self.daemon.directory}/run", *arguments])

    def test_warrenctl_prints_them_the_best_of_the_first_table_first(self):
        self.assertEqual(self.warrenctl("scores", "offers"), (0, "There are no scores yet.\n"))
        client, view = self.enter()
        client.play(view, SCORE)
        other = self.connect("bob")
        second = other.join("w")
        other.play(second, SCORE)
        other.play(second, SCORE)
        status, text = self.warrenctl("scores", "offers", "w")
        self.assertEqual((status, [line.split() for line in text.splitlines()]), (0, [
            ["PLAYER", "Sum", "Rating", "best", "hole", "1", "unheard", "of"],
            ["bob", "4", "3.00", "2", "-5"], ["ann", "2", "1.00", "1", "-5"]]))
        told = json.loads(self.warrenctl("--json", "scores", "offers")[1])
        self.assertEqual([player["player"] for player in told["players"]], ["bob", "ann"])
        self.assertEqual(told["players"][1]["scores"][1],
                         {"table": "rating", "value": 100, "count": 1, "detail": None})
        self.assertEqual(self.warrenctl("scores", "chess")[0], 1)

    def test_what_there_is_not_is_refused(self):
        with Client(self.daemon, "ann") as client:
            for asked in ({"mode": "chess"}, {"mode": "offers", "world": "nowhere"}):
                with self.assertRaises(Refused) as refused:
                    client.request(list_scores=messages.ListScores(**asked))
                self.assertEqual(refused.exception.code, messages.ERROR_NOT_FOUND)
            self.assertEqual(self.scores(client)[0], {})


class Spectators(OffersTest):
    def picture(self, view):
        return list(view.cells), {i: (s.at, s.label) for i, s in view.sprites.items()}, self.number(view, MARKS)

    def test_they_see_each_turn_as_it_was_and_late(self):
        client, view = self.enter(delay=3)
        watcher = self.connect("eve")
        watched = watcher.watch("w")
        watcher.wait(lambda: watched.sequence is not None, "the first picture")
        seen = []
        for marks in range(1, 9):
            client.play(view, MARK)
            seen.append(self.picture(view))
            watcher.wait(lambda: self.number(watched, MARKS) == max(0, marks - 3), f"turn {marks}, late")
            if marks > 3:
                self.assertEqual(self.picture(watched), seen[marks - 4])
        late = self.connect("sue")
        second = late.watch("w")
        late.wait(lambda: second.sequence is not None, "a late watcher's first picture")
        self.assertEqual(self.picture(second), seen[4])
        effects = [e for u in watched.updates if u.HasField("delta") for e in u.delta.effects]
        self.assertEqual([e.at for e in effects], [1, 2, 3, 4, 5])

    def test_what_is_said_to_them_comes_late_too(self):
        client, view = self.enter(delay=2)
        watcher = self.connect("eve")
        watched = watcher.watch("w")
        client.request(say=messages.Say(world=view.joined.world, text="psst"))
        client.wait(lambda: "psst" in view.texts(), "what was said")
        watcher.drain(watched)
        self.assertNotIn("psst", watched.texts())
        client.play(view, MARK)
        client.play(view, MARK)
        watcher.wait(lambda: "psst" in watched.texts(), "it, late")

    def test_after_a_restart_they_see_no_more_than_before(self):
        client, view = self.enter(delay=3)
        for _ in range(5):
            client.play(view, MARK)
        self.daemon.restart(signal.SIGKILL)
        again, watcher = self.connect("ann"), self.connect("eve")
        view, watched = again.join("w"), watcher.watch("w")
        watcher.wait(lambda: watched.sequence is not None, "a picture")
        self.assertIn(self.number(watched, MARKS), (None, 0, 1, 2))
        for marks in range(6, 12):
            again.play(view, MARK)
            watcher.drain(watched)
            shown = self.number(watched, MARKS)
            self.assertLessEqual(shown or 0, marks - 3)
        watcher.wait(lambda: self.number(watched, MARKS) == 8, "the delay as before")

    def test_everyone_there_knows_who_watches(self):
        client, _ = self.enter()
        watcher = self.connect("eve")
        watcher.watch("w")

        def told():
            lists = [list(n.notice.watchers) for n in client.take_news()
                     if n.HasField("notice") and n.notice.kind == messages.NOTICE_WATCHERS]
            return lists and lists[-1]
        wait_for(lambda: told() == ["eve"], "news of who watches")
        self.assertEqual(list(client.request(join=messages.JoinWorld(world="w")).joined.watchers), ["eve"])
        listed = json.loads(stopped_output([f"{BUILD}/bin/warrenctl", "-s", f"{self.daemon.directory}/run", "--json",
                                            "players"])[1])
        self.assertIn({"player": "eve", "world": "w", "seat": None, "connected": True}, listed)
        players = client.request(list_players=messages.ListPlayers()).players
        self.assertEqual([(w.player, w.world) for w in players.watchers], [("eve", "w")])
        watcher.request(goodbye=messages.Goodbye())
        wait_for(lambda: told() == [], "news that nobody does")


if __name__ == "__main__":
    unittest.main()
