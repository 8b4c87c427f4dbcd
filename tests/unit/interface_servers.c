/* The servers to choose from: which there are, in which order, and what stands beside them. */
#include <stdio.h>

#include "servers.h"
#include "suite.h"

static const wn_favourites none;

START_TEST(favourites_stand_behind_the_current_one)
{
    wn_servers servers = {0};
    wn_favourites mine = {0};
    wn_favourites_turn(&mine, "warren://a", NULL);
    wn_favourites_turn(&mine, "warren://b", NULL);
    wn_servers_begin(&servers, "warren://b", &mine);
    ck_assert_uint_eq(servers.count, 2);
    ck_assert(servers.items[0].current && servers.items[0].favourite);
    ck_assert_str_eq(servers.items[1].address, "warren://a");
    ck_assert(!servers.items[1].current && servers.items[1].favourite);
}
END_TEST

START_TEST(servers_are_listed_once_with_the_current_one_first)
{
    wn_servers servers = {0};
    wn_servers_begin(&servers, "warren://b", &none);
    ck_assert_ptr_nonnull(wn_servers_add(&servers, "warren://a"));
    ck_assert_ptr_eq(wn_servers_add(&servers, "warren://b"), &servers.items[0]);
    ck_assert_uint_eq(servers.count, 2);
    ck_assert_str_eq(servers.items[0].address, "warren://b");
    ck_assert(servers.items[0].current && !servers.items[1].current);
    wn_servers_begin(&servers, "warren://c", &none);
    ck_assert_uint_eq(servers.count, 1);
}
END_TEST

START_TEST(beside_a_server_stands_what_matters_most_about_it)
{
    wn_servers servers = {0};
    wn_servers_begin(&servers, "warren://b", &none);
    wn_server *other = wn_servers_add(&servers, "warren://a");
    ck_assert_str_eq(wn_server_about(other), "");
    snprintf(other->found, sizeof other->found, "on this network: attic, 3 worlds");
    ck_assert_str_eq(wn_server_about(other), "on this network: attic, 3 worlds");
    other->favourite = servers.items[0].favourite = true;
    ck_assert_str_eq(wn_server_about(other), "favourite");
    ck_assert_str_eq(wn_server_about(&servers.items[0]), "here, favourite");
}
END_TEST

START_TEST(the_choice_goes_from_the_first_server_to_another_address)
{
    wn_servers servers = {0};
    wn_servers_begin(&servers, "warren://b", &none);
    wn_servers_add(&servers, "warren://a");
    wn_servers_move(&servers, -1);
    ck_assert_uint_eq(servers.selected, 0);
    wn_servers_move(&servers, 99);
    ck_assert_uint_eq(servers.selected, 2);
}
END_TEST

START_TEST(there_are_not_more_than_fit_and_none_without_an_address)
{
    wn_servers servers = {0};
    char address[32];
    wn_servers_begin(&servers, "", &none);
    ck_assert_uint_eq(servers.count, 0);
    for (int i = 0; i < WN_SERVERS; i++) {
        snprintf(address, sizeof address, "warren://host-%d", i);
        ck_assert_ptr_nonnull(wn_servers_add(&servers, address));
    }
    ck_assert_ptr_null(wn_servers_add(&servers, "warren://one-more"));
    ck_assert_ptr_nonnull(wn_servers_add(&servers, "warren://host-0"));
}
END_TEST

RUN("interface servers", favourites_stand_behind_the_current_one, servers_are_listed_once_with_the_current_one_first,
    beside_a_server_stands_what_matters_most_about_it, the_choice_goes_from_the_first_server_to_another_address,
    there_are_not_more_than_fit_and_none_without_an_address)
