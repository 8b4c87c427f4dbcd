# stage.cmake: what a Debian package has beside what is installed: run by cpack before it makes the packages of what it
# has installed into a directory for each.
unset(ENV{DESTDIR}) # cpack installs with it; here, places are whole
set(debian ${CPACK_WARREN_SOURCE}/systemd/debian)
set(readable FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
set(directories DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# put(FILE PLACE): FILE as PLACE.
function(put file place)
  cmake_path(GET place PARENT_PATH directory)
  cmake_path(GET place FILENAME name)
  file(INSTALL ${file} DESTINATION ${directory} RENAME ${name} ${readable} ${directories})
endfunction()

function(compress)
  execute_process(COMMAND gzip -9nf ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

foreach(package ${CPACK_COMPONENTS_ALL})
  set(root ${CPACK_TEMPORARY_DIRECTORY}/${package})
  set(documents ${root}/usr/share/doc/${package})
  put(${debian}/copyright ${documents}/copyright)
  put(${debian}/changelog ${documents}/changelog.Debian)
  put(${CPACK_WARREN_SOURCE}/CHANGELOG.md ${documents}/changelog)
  file(GLOB_RECURSE pages ${root}/usr/share/man/*)
  compress(${documents}/changelog.Debian ${documents}/changelog ${pages})
  put(${debian}/lintian-overrides ${root}/usr/share/lintian/overrides/${package})
endforeach()
put(${CPACK_WARREN_SOURCE}/systemd/logrotate.conf ${CPACK_TEMPORARY_DIRECTORY}/warrend/etc/logrotate.d/warrend)
# Debian's zsh does not look into the directory that others' do.
set(zsh ${CPACK_TEMPORARY_DIRECTORY}/warrend/usr/share/zsh)
file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
