# SPDX-License-Identifier: Apache-2.0
# find_package(libgang) defines the target libgang::libgang. What it needs is in libgang.pc, which is
# installed with this file.
include(CMakeFindDependencyMacro)
find_dependency(PkgConfig)

get_filename_component(libgang_pkgconfig "${CMAKE_CURRENT_LIST_DIR}/../../pkgconfig" ABSOLUTE)
set(libgang_path "$ENV{PKG_CONFIG_PATH}")
set(ENV{PKG_CONFIG_PATH} "${libgang_pkgconfig}:${libgang_path}")
pkg_check_modules(libgang QUIET IMPORTED_TARGET GLOBAL libgang)
set(ENV{PKG_CONFIG_PATH} "${libgang_path}")

if(NOT libgang_FOUND)
  set(libgang_NOT_FOUND_MESSAGE "${libgang_pkgconfig}/libgang.pc, or what it requires, is missing")
  return()
endif()
if(NOT TARGET libgang::libgang)
  add_library(libgang::libgang INTERFACE IMPORTED)
  set_target_properties(libgang::libgang PROPERTIES INTERFACE_LINK_LIBRARIES PkgConfig::libgang)
endif()
