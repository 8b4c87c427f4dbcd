# Debian packages, made by cpack: one for each component that install() names. Beside what is installed they have what
# Debian wants of a package (stage.cmake) and, for the daemon, the scripts that dpkg runs.
set(WARREN_PACKAGE_MAINTAINER "The Warren developers <warren@example.org>" CACHE STRING
  "Who answers for the packages, as Debian writes it")

get_cmake_property(components COMPONENTS)
if("Unspecified" IN_LIST components)
  message(FATAL_ERROR "An install() is in no package: set CMAKE_INSTALL_DEFAULT_COMPONENT_NAME in its folder.")
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL warrend warren-frontends warren-modes warren-dev)
set(CPACK_PACKAGE_NAME warren)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${WARREN_PACKAGE_MAINTAINER})
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_STRIP_FILES ON)
set(CPACK_SET_DESTDIR ON)
set(CPACK_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/stage.cmake)
set(CPACK_WARREN_SOURCE ${PROJECT_SOURCE_DIR})
set(CPACK_WARREN_BINARY ${PROJECT_BINARY_DIR})
set(version "${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")

# warren_package(NAME SECTION DEPENDS SYNOPSIS LINE...): what is said of a package; lines are its longer description.
function(warren_package name section depends synopsis)
  string(TOUPPER ${name} upper)
  string(JOIN "\n" text ${synopsis} ${ARGN})
  foreach(pair NAME=${name} SECTION=${section} "DEPENDS=${depends}")
    string(REGEX REPLACE "^([A-Z]+)=(.*)$" "\\1;\\2" pair "${pair}")
    list(POP_FRONT pair field)
    set(CPACK_DEBIAN_${upper}_PACKAGE_${field} "${pair}" PARENT_SCOPE)
  endforeach()
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${text}" PARENT_SCOPE)
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${text}" PARENT_SCOPE)
endfunction()

# procps: the unit's ExecReload= is its kill.
warren_package(warrend net
  "warren-modes (= ${version}), systemd | systemd-standalone-sysusers, systemd | systemd-standalone-tmpfiles, procps"
  "daemon that hosts game worlds"
  "Warren hosts worlds of games that live on whether anyone looks or not, each"
  "mode in a sandboxed process of its own. What happens in a world is written"
  "down before it is shown, so that nothing is lost in a crash."
  "."
  "This package has the daemon, its service, warrenctl to administer it, and"
  "warren-bot, which plays by itself.")
warren_package(warren-frontends net ""
  "frontends for worlds of Warren"
  "Warren hosts worlds of games that several people can be in at once. This"
  "package has what people play and watch them with, from the same machine or over"
  "the network.")
warren_package(warren-modes net ""
  "game modes for Warren: caves, hunt, maze and polar"
  "Warren hosts worlds of games. This package has the games: a cave to dig"
  "through, the maze shooter hunt, a race through a maze, and a puzzle on ice."
  "The tools warren-maze and warren-polar print mazes and look at level packs.")
warren_package(warren-dev libdevel ""
  "headers for writing game modes for Warren"
  "A mode of Warren is one C file against one header. This package has that"
  "header, one for lines of sight, an example, and the description of the"
  "protocol that frontends speak.")
set(CPACK_DEBIAN_WARREND_PACKAGE_SUGGESTS "logrotate")
set(CPACK_DEBIAN_WARREN-FRONTENDS_PACKAGE_RECOMMENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_WARREN-FRONTENDS_PACKAGE_SUGGESTS "warrend")
set(CPACK_DEBIAN_WARREN-DEV_PACKAGE_SUGGESTS "gcc, pkg-config, warrend")

configure_file(${CMAKE_CURRENT_LIST_DIR}/triggers.in ${PROJECT_BINARY_DIR}/systemd/debian/triggers @ONLY)
set(CPACK_DEBIAN_WARREND_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/systemd/debian/triggers)
foreach(file conffiles postinst prerm postrm)
  list(APPEND CPACK_DEBIAN_WARREND_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/${file})
endforeach()

include(CPack)
