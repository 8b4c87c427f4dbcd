"""Several players and watchers in one world: what each sees of the others, and who may do what with a world."""

import unittest

from daemon import BUILD, Client, Daemon, Refused, View, messages, wait_for

STEP, REST = 1, 2
DIRECTIONS = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)]
SMALL = {"width": 16, "height": 16, "smoothing": 0, "growth_permille": 0}


def action(view, name):
    return next(a.id for a in view.joined.mode.actions if a.name == name)


def tile(view, name):
    return next(i for i, t in enumerate(view.joined.mode.tiles) if t.name == name)


def sprites_of(view, name):
    return [s for s in view.sprites.values() if s.tile == tile(view, name)]


def own_sprite(view, player):
    return next(s for s in view.sprites.values() if s.label == player)


def towards(view, player, target):
    """The direction that leads the player nearer to the cell; digging makes every way passable."""
    width = view.width
    x, y = own_sprite(view, player).at % width, own_sprite(view, player).at // width
    step = ((target % width > x) - (target % width < x), (target // width > y) - (target // width < y))
    return DIRECTIONS.index(step)


def hunt(client, view, target, most=200):
    """Walks, digs and strikes until the sprite with that id is gone; turns aside now and then, for players."""
    for count in range(most):
        if target not in view.sprites:
            return
        direction = towards(view, client.welcome.player, view.sprites[target].at)
        client.play(view, action(view, "step"), (direction + 2) % 8 if count % 8 == 7 else direction)
    raise AssertionError("the lichen lives")


class Sharing(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon(tcp=True).start()
        self.addCleanup(self.daemon.__exit__)

    def client(self, player=None, **options):
        client = Client(self.daemon, player, **options)
        self.addCleanup(client.close)
        return client

    def stranger(self, player=None):
        """Someone who is no administrator."""
        return self.client(player, **self.daemon.tcp_addresses())

    def test_a_late_joiner_s_first_update_is_a_keyframe_with_what_happened_before(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.wait(lambda: view.sequence is not None, "the first update")
        for direction in (0, 2, 4, 6, 1, 3):
            ann.play(view, action(view, "step"), direction)
        bob = self.client("bob")
        late = bob.join("home")
        bob.wait(lambda: late.updates, "bob's first update")
        self.assertTrue(late.updates[0].HasField("keyframe"))
        bob.wait(lambda: any(s.label == "ann" for s in late.sprites.values()), "ann in bob's view")
        ann.drain(view)
        self.assertEqual(own_sprite(late, "ann").at, own_sprite(view, "ann").at)

    def test_two_players_see_each_other_by_name_and_move(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="home", **SMALL)
        seen_by_ann, seen_by_bob = ann.join("home"), bob.join("home")
        for client, view in ((ann, seen_by_ann), (bob, seen_by_bob)):
            client.wait(lambda view=view: {s.label for s in view.sprites.values()} >= {"ann", "bob"}, "both players")
        for direction in list(range(8)) * 2:
            bob.play(seen_by_bob, action(seen_by_bob, "step"), direction)
        ann.drain(seen_by_ann)
        self.assertEqual(own_sprite(seen_by_ann, "bob").at, own_sprite(seen_by_bob, "bob").at)
        self.assertEqual(own_sprite(seen_by_ann, "bob").tile, tile(seen_by_ann, "player"))
        self.assertEqual(own_sprite(seen_by_bob, "bob").tile, tile(seen_by_bob, "you"))

    def test_a_killed_lichen_vanishes_for_everyone_and_a_watcher_sees_the_same(self):
        ann, bob, watcher = self.client("ann"), self.client("bob"), self.client("wat")
        ann.create(name="home", seed=7, lichens=2, overrun=100, **SMALL)
        views = [ann.join("home"), bob.join("home"), watcher.watch("home")]
        for client, view in zip((ann, bob, watcher), views):
            client.wait(lambda view=view: len(sprites_of(view, "lichen")) == 2, "two lichens")
        target = sprites_of(views[0], "lichen")[0].id
        hunt(ann, views[0], target)
        for client, view in zip((ann, bob, watcher), views):
            client.drain(view)
            self.assertNotIn(target, view.sprites)
            self.assertEqual(len(sprites_of(view, "lichen")), 1)
        self.assertEqual(views[2].cells, views[0].cells)
        self.assertEqual({n: (s.at, s.label) for n, s in views[2].sprites.items()},
                         {n: (s.at, s.label) for n, s in views[0].sprites.items()})
        self.assertEqual(views[2].board, views[0].board)
        self.assertEqual([c for c in views[0].board.values() if c][0], ["ann", "1"])

    def test_chat_reaches_players_and_watchers_with_the_sender_s_name(self):
        ann, bob, watcher = self.client("ann"), self.client("bob"), self.client("wat")
        ann.create(name="home", **SMALL)
        views = [ann.join("home"), bob.join("home"), watcher.watch("home")]
        clients = (ann, bob, watcher)
        for client, view in zip(clients, views):
            client.wait(lambda view=view: view.sequence is not None, "the first update")
        for sender, text in ((ann, "hello"), (watcher, "I only look"), (bob, "grüße \U0001f980")):
            self.assertTrue(sender.request(say=messages.Say(world=views[0].joined.world, text=text)).HasField("done"))
            for client, view in zip(clients, views):
                client.wait(lambda view=view, text=text: text in view.texts(), text)
                message = next(m for m in view.messages.values() if m.text == text)
                self.assertEqual((message.kind, getattr(message, "from")),
                                 (messages.MESSAGE_CHAT, sender.welcome.player))

    def test_chat_that_came_before_someone_looks_is_still_in_the_keyframe(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.request(say=messages.Say(world=view.joined.world, text="first words"))
        ann.wait(lambda: "first words" in view.texts(), "the words")
        bob = self.client("bob")
        late = bob.watch("home")
        bob.wait(lambda: late.sequence is not None, "the keyframe")
        self.assertIn("first words", late.texts())

    def test_an_administrator_who_is_not_in_the_world_speaks_as_the_server(self):
        ann, admin = self.client("ann"), self.client("root")
        world = ann.create(name="home", **SMALL)
        view = ann.join("home")
        admin.request(say=messages.Say(world=world.id, text="going down at noon"))
        ann.wait(lambda: "going down at noon" in view.texts(), "the announcement")
        message = next(m for m in view.messages.values() if m.text == "going down at noon")
        self.assertEqual((message.kind, message.HasField("from")), (messages.MESSAGE_SYSTEM, False))

    def test_who_leaves_is_gone_for_the_others_and_the_seat_is_free(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="home", **SMALL)
        seen_by_ann, seen_by_bob = ann.join("home"), bob.join("home")
        ann.wait(lambda: any(s.label == "bob" for s in seen_by_ann.sprites.values()), "bob")
        bob.request(leave=messages.LeaveWorld(world=seen_by_bob.joined.world))
        ann.wait(lambda: not any(s.label == "bob" for s in seen_by_ann.sprites.values()), "bob to go")
        players = ann.request(list_players=messages.ListPlayers(world="home")).players.players
        self.assertEqual([(p.player, p.connected) for p in players], [("ann", True)])
        with self.assertRaises(Refused) as refused:
            bob.request(resync=messages.Resync(world=seen_by_bob.joined.world))
        self.assertEqual(refused.exception.code, messages.ERROR_NOT_FOUND)
        again = bob.join("home")
        self.assertEqual((again.joined.seat, again.joined.next_command), (seen_by_bob.joined.seat, 1))
        self.assertNotEqual(again.joined.view_key, seen_by_bob.joined.view_key)

    def test_goodbye_frees_the_seats_at_once(self):
        ann, bob = self.client("ann"), self.client("bob")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        bob.join("home")
        ann.wait(lambda: any(s.label == "bob" for s in view.sprites.values()), "bob")
        self.assertTrue(bob.request(goodbye=messages.Goodbye()).HasField("done"))
        ann.wait(lambda: not any(s.label == "bob" for s in view.sprites.values()), "bob to go")
        with self.assertRaises(Refused) as refused:
            bob.request(ping=messages.Ping())
        self.assertEqual(refused.exception.code, messages.ERROR_NO_SESSION)

    def test_joining_twice_is_the_same_seat(self):
        ann = self.client("ann")
        ann.create(name="home", **SMALL)
        view = ann.join("home")
        ann.play(view, REST)
        again = ann.request(join=messages.JoinWorld(world="home")).joined
        self.assertEqual((again.seat, again.view_key, again.next_command),
                         (view.joined.seat, view.joined.view_key, 2))

    def test_names_that_are_taken_get_a_number(self):
        names = [self.client("ann").welcome.player for _ in range(3)]
        self.assertEqual(names, ["ann", "ann-2", "ann-3"])
        long = "x" * 32
        longs = [self.client(long).welcome.player for _ in range(3)]
        self.assertEqual(longs[0], long)
        self.assertEqual(len(set(longs)), 3)
        umlauts = [self.client("ü" * 16).welcome.player for _ in range(2)]
        self.assertEqual(len(set(umlauts)), 2)
        for name in longs + umlauts:
            self.assertLessEqual(len(name.encode()), 32)
        guests = {self.client().welcome.player for _ in range(3)}
        self.assertEqual(len(guests), 3)


class FullWorlds(unittest.TestCase):
    def test_the_seats_of_a_mode_are_its_limit_and_a_left_one_can_be_taken_again(self):
        with Daemon(["limits.seats_per_player=8"], modes=f"{BUILD}/fragile-modes") as daemon:
            clients = [Client(daemon, f"p{i}") for i in range(5)]
            for client in clients:
                self.addCleanup(client.close)
            clients[0].create("fragile", name="small")
            views = [client.join("small") for client in clients[:4]]
            self.assertEqual(sorted(view.joined.seat for view in views), [0, 1, 2, 3])
            with self.assertRaises(Refused) as refused:
                clients[4].join("small")
            self.assertEqual((refused.exception.code, refused.exception.error.limit), (messages.ERROR_WORLD_FULL, 4))
            self.assertIn("4 seats", str(refused.exception))
            clients[2].request(leave=messages.LeaveWorld(world=views[2].joined.world))

            def try_to_join():
                try:
                    return clients[4].join("small")
                except Refused as full:
                    self.assertEqual(full.code, messages.ERROR_WORLD_FULL)
                    return None
            view = wait_for(try_to_join, "the free seat")
            self.assertEqual(view.joined.seat, 2)
            world = clients[0].request(list_worlds=messages.ListWorlds()).worlds.worlds[0]
            self.assertEqual((world.players, world.max_players), (4, 4))

    def test_a_mode_that_lets_nobody_in_says_why_and_the_seat_stays_free(self):
        with Daemon(modes=f"{BUILD}/fragile-modes") as daemon, Client(daemon, "ann") as ann:
            ann.create("fragile", name="closed", refuse="yes")
            for _ in range(6):
                with self.assertRaises(Refused) as refused:
                    ann.join("closed")
                self.assertEqual(refused.exception.code, messages.ERROR_WORLD_FULL)
                self.assertIn("nobody comes in here", str(refused.exception))
            self.assertEqual(len(ann.request(list_players=messages.ListPlayers()).players.players), 0)


class Directory(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = Daemon(tcp=True).start()
        cls.addClassCleanup(cls.daemon.__exit__)

    def client(self, player=None, **options):
        client = Client(self.daemon, player, **options)
        self.addCleanup(client.close)
        return client

    def stranger(self, player=None):
        return self.client(player, **self.daemon.tcp_addresses())

    def refused(self, function, *arguments, **options):
        with self.assertRaises(Refused) as refused:
            function(*arguments, **options)
        self.assertTrue(refused.exception.error.text)
        return refused.exception

    def test_a_world_without_a_name_gets_one_from_its_mode(self):
        ann = self.client("ann")
        names = [ann.create(**SMALL).name for _ in range(2)]
        self.assertEqual(len(set(names)), 2)
        for name in names:
            self.assertRegex(name, r"^caves-\d+$")

    def test_a_taken_name_is_refused(self):
        ann = self.client("ann")
        ann.create(name="taken", **SMALL)
        self.assertEqual(self.refused(ann.create, name="taken", **SMALL).code, messages.ERROR_NAME_TAKEN)

    def test_names_that_break_the_rules_are_refused_and_name_the_field(self):
        ann = self.client("ann")
        error = self.refused(ann.create, name="x" * 33, **SMALL)
        self.assertEqual((error.code, error.error.field, error.error.limit), (messages.ERROR_LIMIT, "name_bytes", 32))
        for name in ("-x", ".x", "a b", "a/b", "ü", "a\n", "a\0b", "../../etc"):
            error = self.refused(ann.create, name=name, **SMALL)
            self.assertIn(error.code, (messages.ERROR_BAD_NAME, messages.ERROR_MALFORMED, messages.ERROR_LIMIT), name)
            self.assertIn(error.error.field, ("name", "name_bytes"), name)
        self.assertEqual(ann.create(name="x" * 32, **SMALL).name, "x" * 32)

    def test_a_mode_that_is_not_there_is_named(self):
        error = self.refused(self.client("ann").create, mode="nosuch")
        self.assertEqual((error.code, error.error.field), (messages.ERROR_NOT_FOUND, "mode"))
        self.assertIn("nosuch", str(error))

    def test_a_wrong_setting_is_told_with_its_name_value_and_range(self):
        ann = self.client("ann")
        for setting, value, expected in (("width", "15", "16"), ("width", "1025", "1024"), ("width", "", "16"),
                                         ("width", "16x", "16"), ("width", "99999999999999999999", "1024"),
                                         ("width", "-16", "16"), ("width", "0x20", "16"), ("pvp", "maybe", "yes"),
                                         ("overrun", "0", "100"), ("overrun", "101", "100")):
            error = self.refused(ann.create, **{setting: value})
            self.assertEqual((error.code, error.error.field), (messages.ERROR_BAD_SETTING, setting), value)
            for part in (setting, value, expected):
                self.assertIn(part, str(error))

    def test_an_unknown_or_repeated_setting_is_refused_by_name(self):
        ann = self.client("ann")
        error = self.refused(ann.create, depth=3)
        self.assertEqual((error.code, error.error.field), (messages.ERROR_BAD_SETTING, "depth"))
        create = messages.CreateWorld(mode="caves")
        create.settings.add(name="width", value="20")
        create.settings.add(name="width", value="30")
        error = self.refused(ann.request, create=create)
        self.assertEqual((error.code, error.error.field), (messages.ERROR_BAD_SETTING, "width"))

    def test_range_ends_are_allowed(self):
        ann = self.client("ann")
        for setting, values in (("width", (16, 1024)), ("overrun", (1, 100)), ("pvp", ("yes", "no"))):
            for value in values:
                settings = dict(SMALL, **{setting: value})
                name = ann.create(lichens=0, **settings).name
                ann.request(close=messages.CloseWorld(world=name))

    def test_the_largest_settings_are_made_or_refused_without_harm(self):
        ann = self.stranger("big")
        most = 1024 * 1024
        for settings in ({"lichens": most}, {"lichens": most, "smoothing": 0}, {"lichens": 500000, "smoothing": 0},
                         {"bunnies": most // 2, "silverfish": most // 4, "lichens": 0},
                         {"lichens": 400000, "growth_permille": 1000, "overrun": 100}):
            try:
                name = ann.create(width=1024, height=1024, **settings).name
                view = ann.join(name)
                ann.wait(lambda view=view: view.sequence is not None, "the view")
                ann.play(view, REST)
                ann.request(close=messages.CloseWorld(world=name))
            except Refused as error:
                self.assertNotIn("crashed", str(error))
                self.assertNotIn("too long", str(error))
        self.assertEqual(self.daemon.host().restarts, 0)

    def test_the_list_tells_of_each_world_what_the_protocol_promises(self):
        ann, bob = self.client("ann"), self.stranger("bob")
        created = ann.create(name="listed", seed=77, lichens=0, **SMALL)
        self.assertEqual(created.seed, 77)
        bob.join("listed")
        watch = ann.watch("listed")
        ann.wait(lambda: watch.sequence is not None, "the watched view")

        def listed(client):
            worlds = client.request(list_worlds=messages.ListWorlds()).worlds.worlds
            return next(world for world in worlds if world.name == "listed")
        for world in (listed(ann), listed(bob)):
            self.assertEqual((world.id, world.mode, world.state, world.players, world.max_players, world.watchers,
                              world.owner),
                             (created.id, "caves", messages.WORLD_RUNNING, 1, 64, 1, ann.welcome.player))
            self.assertGreater(world.turn, 0)
            self.assertGreater(world.created, 1700000000)
            self.assertFalse(world.outcome)
        self.assertFalse(listed(bob).HasField("seed"))

    def test_the_list_has_the_settings_that_differ_and_for_the_owner_the_seed(self):
        ann = self.client("ann")
        ann.create(name="settings", seed=78, width=40, growth_permille=10)
        world = next(w for w in ann.request(list_worlds=messages.ListWorlds()).worlds.worlds if w.name == "settings")
        self.assertEqual({s.name: s.value for s in world.settings}, {"width": "40"})
        self.assertEqual(world.seed, 78)

    def test_the_same_seed_makes_the_same_cave(self):
        ann = self.client("ann")
        pictures = []
        for seed in (5, 5, 6):
            name = ann.create(seed=seed, **SMALL).name
            view = ann.watch(name)
            ann.wait(lambda view=view: view.sequence is not None, "the view")
            pictures.append(view.picture())
        self.assertEqual(pictures[0], pictures[1])
        self.assertNotEqual(pictures[0], pictures[2])

    def test_players_are_listed_by_world_and_in_all(self):
        ann, bob = self.client("ann-list"), self.client("bob-list")
        for name, client in (("left", ann), ("right", bob)):
            client.create(name=name, **SMALL)
            client.join(name)
        everyone = [(p.player, p.world) for p in ann.request(list_players=messages.ListPlayers()).players.players]
        self.assertIn(("ann-list", "left"), everyone)
        self.assertIn(("bob-list", "right"), everyone)
        right = ann.request(list_players=messages.ListPlayers(world="right")).players.players
        self.assertEqual([(p.player, p.world) for p in right], [("bob-list", "right")])
        self.assertEqual(self.refused(ann.request, list_players=messages.ListPlayers(world="nowhere")).code,
                         messages.ERROR_NOT_FOUND)

    def test_a_world_is_closed_by_its_owner_or_an_administrator_and_nobody_else(self):
        owner, other, admin = self.stranger("own"), self.stranger("oth"), self.client("adm")
        self.assertEqual((owner.welcome.admin, admin.welcome.admin), (False, True))
        for closer in (owner, admin):
            name = owner.create(**SMALL).name
            world = other.join(name).joined.world
            error = self.refused(other.request, close=messages.CloseWorld(world=name))
            self.assertEqual(error.code, messages.ERROR_NOT_ALLOWED)
            self.assertIn("own", str(error))
            self.assertTrue(closer.request(close=messages.CloseWorld(world=name)).HasField("done"))
            self.assertEqual(other.wait_news(lambda n, world=world: n.HasField("notice") and n.notice.world == world,
                                             "the notice").notice.kind, messages.NOTICE_WORLD_CLOSED)
            self.assertEqual(self.refused(other.request, join=messages.JoinWorld(world=name)).code,
                             messages.ERROR_NOT_FOUND)
            self.assertEqual(self.refused(other.request, resync=messages.Resync(world=world)).code,
                             messages.ERROR_NOT_FOUND)
            self.assertNotIn(name, [w.name for w in admin.request(list_worlds=messages.ListWorlds()).worlds.worlds])

    def test_a_closed_world_s_name_is_free_and_its_number_is_not(self):
        ann = self.client("ann")
        first = ann.create(name="again", **SMALL).id
        ann.request(close=messages.CloseWorld(world="again"))
        self.assertGreater(ann.create(name="again", **SMALL).id, first)

    def test_modes_are_described_whole(self):
        mode = self.client().request(list_modes=messages.ListModes()).modes.modes[0]
        self.assertEqual(mode.name, "caves")
        self.assertEqual({a.name for a in mode.actions}, {"step", "rest", "regions"})
        self.assertEqual(next(s.standard for s in mode.settings if s.name == "lichens"), "30")
        self.assertTrue(mode.tiles and mode.status and mode.board and mode.max_seats == 64)


class Over(unittest.TestCase):
    def setUp(self):
        self.daemon = Daemon().start()
        self.addCleanup(self.daemon.__exit__)
        self.ann, self.wat = Client(self.daemon, "ann"), Client(self.daemon, "wat")
        self.addCleanup(self.ann.close)
        self.addCleanup(self.wat.close)

    def assert_over(self, view, word):
        for client in (self.ann, self.wat):
            notice = client.wait_notice(messages.NOTICE_WORLD_OVER, "the end")
            self.assertEqual(notice.world, view.joined.world)
            self.assertIn(word, notice.text)
        number = self.ann.command(view, REST)
        error = self.ann.wait_news(lambda n: n.HasField("error"), "the error").error
        self.assertEqual((error.code, error.world, error.command),
                         (messages.ERROR_WORLD_OVER, view.joined.world, number))
        with self.assertRaises(Refused) as refused:
            self.wat.join(view.joined.name)
        self.assertEqual(refused.exception.code, messages.ERROR_WORLD_OVER)
        world = self.wat.request(list_worlds=messages.ListWorlds()).worlds.worlds[0]
        self.assertEqual(world.state, messages.WORLD_OVER)
        self.assertIn(word, world.outcome)

    def test_a_world_whose_last_lichen_dies_is_won(self):
        self.ann.create(name="end", lichens=1, overrun=100, **SMALL)
        view = self.ann.join("end")
        watched = self.wat.watch("end")
        self.ann.wait(lambda: sprites_of(view, "lichen"), "the lichen")
        hunt(self.ann, view, sprites_of(view, "lichen")[0].id)
        self.assert_over(view, "won")
        self.ann.drain(view)
        self.assertTrue(view.banner)
        self.wat.drain(watched)
        fresh = View(watched.joined)
        self.wat.keys[watched.joined.view_key] = fresh
        self.wat.request(resync=messages.Resync(world=view.joined.world))
        self.wat.wait(lambda: fresh.sequence is not None, "a keyframe of a world that is over")
        self.assertEqual(fresh.picture(), watched.picture())

    def test_an_overrun_world_is_lost(self):
        self.ann.create(name="end", lichens=60, overrun=1, **dict(SMALL, growth_permille=1000))
        view = self.ann.join("end")
        self.wat.watch("end")
        self.ann.play(view, REST)
        self.assert_over(view, "lost")

    def test_commands_that_wait_when_the_world_ends_are_refused(self):
        with Daemon(modes=f"{BUILD}/fragile-modes") as daemon, Client(daemon, "ann") as ann:
            count, slow, win = 1, 4, 6
            ann.create("fragile", name="end")
            view = ann.join("end")
            ann.wait(lambda: view.sequence is not None, "the view")
            numbers = [ann.command(view, action) for action in (slow, win, count, count, count)]
            ann.wait_notice(messages.NOTICE_WORLD_OVER, "the end")
            wait_for(lambda: (ann.take_updates(), max([view.executed, *ann.command_errors()]) >= numbers[-1])[1],
                     "all commands to be executed or refused")
            ann.alive()
            self.assertEqual({n: e.code for n, e in ann.command_errors().items()},
                             {number: messages.ERROR_WORLD_OVER for number in numbers[2:]})


if __name__ == "__main__":
    unittest.main()
