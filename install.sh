#!/bin/sh
# Installs pixelctl from a release archive, or from the checkout that contains this script. Options: sh install.sh --help
set -eu
umask 022

# The address of the releases. The release script fills it in: the copy in the repository knows no release.
filled_in_release_url=''

usage() {
  cat <<'END'
Install pixelctl from a release archive, or from the checkout that contains this script.

Usage: sh install.sh [OPTIONS]

  --version VERSION    install this release; the latest one by default
  --prefix FOLDER      install into FOLDER/bin; ~/.local by default
  --release-url URL    the address of the releases (or PIXELCTL_RELEASE_URL)
  --archive URL        install this archive (or PIXELCTL_ARCHIVE); needs --sha256
  --sha256 CHECKSUM    the SHA-256 checksum of the archive (or PIXELCTL_SHA256)
  --from-checkout      build and install the checkout that contains this script; needs Node and npm
  --dry-run            show what would be done, and change nothing
  --help               show this text

Archives are downloaded over https, and checked before they are unpacked. No root permissions are needed.
END
}

# fail MESSAGE [HINT]: for a machine or network that does not do what is needed.
fail() {
  printf 'Error: %s\n' "$1" >&2
  if [ $# -gt 1 ]; then printf 'Hint: %s\n' "$2" >&2; fi
  exit 1
}

# What came from a server, without what a terminal would act on.
shown() {
  printf '%s' "$1" | LC_ALL=C tr -c '\040-\176' '?'
}

# refuse MESSAGE [HINT]: for options that cannot be followed. Nothing was downloaded.
refuse() {
  (fail "$@") || exit 2
}

has() {
  command -v "$1" >/dev/null 2>&1
}

# A word that a shell reads as this text.
quoted() {
  printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# The checkout that contains this script; fails when there is none, as in `curl … | sh`.
find_checkout() {
  case $0 in install.sh | */install.sh) ;; *) return 1 ;; esac
  folder=$(cd "$(dirname "$0")" 2>/dev/null && pwd) || return 1
  [ -f "$folder/bin/run.js" ] && [ -f "$folder/package-lock.json" ] && printf '%s\n' "$folder"
}

# What is downloaded, built or run from here needs no token.
forget_tokens() {
  set -f
  for word in $(export -p); do
    case ${word%%=*} in
      *[!A-Za-z0-9_]* | "$word") ;;
      PIXELCTL_TOKEN*) unset "${word%%=*}" ;;
    esac
  done
  set +f
}

# Sets scheme to the only protocol that a download from this address may use.
check_address() {
  case $1 in
    https://?*) scheme=https ;;
    http://?*)
      # Plain http is for tests on this machine. A name or password in front of the host could hide the real one.
      host=${1#http://}
      host=${host%%[/?#]*}
      case $host in
        *@*) refuse "This address is not https: $1" ;;
        127.0.0.1 | 127.0.0.1:* | localhost | localhost:* | '[::1]' | '[::1]:'*) scheme=http ;;
        *) refuse "This address is not https: $1" ;;
      esac
      ;;
    *) refuse "This address is not https: $1" ;;
  esac
}

# download URL FILE
download() {
  check_address "$1"
  status=0
  if has curl; then
    curl --fail --silent --show-error --location --max-redirs 5 --proto "=$scheme" --proto-redir "=$scheme" \
      --connect-timeout 30 --retry 2 --output "$2" "$1" || status=$?
    # 23: what was received could not be written.
    if [ "$status" = 23 ]; then fail "Cannot write $2" "is the disk full? Set TMPDIR to use another folder"; fi
  elif has wget; then
    wget -q -O "$2" "$1" || status=$?
  else
    fail 'Neither curl nor wget is installed, and one of them is needed'
  fi
  if [ "$status" != 0 ]; then fail "Cannot download $1" 'check the address and the network, then run this again'; fi
}

# The SHA-256 checksum of a file.
checksum_of() {
  if has sha256sum; then
    sum=$(sha256sum <"$1")
  elif has shasum; then
    sum=$(shasum -a 256 <"$1")
  elif has openssl; then
    sum=$(openssl dgst -sha256 -r <"$1")
  else
    fail 'None of sha256sum, shasum and openssl is installed, and one of them is needed'
  fi
  printf '%s\n' "${sum%%[ *]*}"
}

# Whether programs here use musl instead of glibc. A machine can have both, so the loader of `ldd` decides.
uses_musl() {
  if has ldd; then
    case $(ldd --version 2>&1 || :) in *[Mm]usl*) return 0 ;; *) return 1 ;; esac
  fi
  for loader in /lib/ld-musl-*; do if [ -e "$loader" ]; then return 0; fi; done
  return 1
}

# Sets platform, as the names of archives have it: linux-x64-musl.
detect_platform() {
  system=$(uname -s)
  machine=$(uname -m)
  case $system in
    Linux) platform=linux ;;
    Darwin) platform=macos ;;
    MINGW* | MSYS* | CYGWIN* | Windows*)
      fail 'This script does not install on Windows' \
        'unpack the archive pixelctl-VERSION-windows-x64.zip into a folder that is on your path'
      ;;
    *) fail "There is no archive for this system: $system $machine" 'build pixelctl from a checkout: it needs Node' ;;
  esac
  case $machine in
    x86_64 | amd64)
      # A translated shell on a Mac with Apple's processor.
      if [ "$platform" = macos ] && [ "$(sysctl -n sysctl.proc_translated 2>/dev/null || :)" = 1 ]; then
        platform=$platform-arm64
      else
        platform=$platform-x64
      fi
      ;;
    aarch64 | arm64) platform=$platform-arm64 ;;
    *) fail "There is no archive for this system: $system $machine" 'build pixelctl from a checkout: it needs Node' ;;
  esac
  if [ "$system" = Linux ] && uses_musl; then platform=$platform-musl; fi
}

# Sets archive and sha256 to those of a release, from its list of checksums.
find_archive() {
  detect_platform
  if [ -n "$version" ]; then folder=${release_url%/}/download/v$version; else folder=${release_url%/}/latest/download; fi
  download "$folder/SHA256SUMS" "$work/SHA256SUMS"
  while read -r sum name || [ -n "$sum" ]; do
    name=${name#\*}
    case $name in
      *[!0-9A-Za-z._+-]*) ;;
      "pixelctl-"*"-$platform.tar.gz")
        archive=$folder/$name
        sha256=$sum
        ;;
    esac
  done <"$work/SHA256SUMS"
  if [ -z "$archive" ]; then
    fail "$folder has no archive for this system: $platform" 'build pixelctl from a checkout: it needs Node'
  fi
}

check_checksum_format() {
  case $sha256 in *[!0-9A-Fa-f]*) refuse "This is not a SHA-256 checksum: $(shown "$sha256")" ;; esac
  if [ ${#sha256} != 64 ]; then refuse "This is not a SHA-256 checksum: $(shown "$sha256")"; fi
  sha256=$(printf '%s' "$sha256" | tr 'A-F' 'a-f')
}

# Checks with gh that GitHub built the archive from the repository of the releases, and says what could not be checked.
check_provenance() {
  case $release_url in
    https://github.com/*/*/releases | https://github.com/*/*/releases/) ;;
    *)
      printf 'Not checked: where the archive was built, because the releases are not on GitHub\n'
      return
      ;;
  esac
  repository=${release_url#https://github.com/}
  repository=${repository%/}
  repository=${repository%/releases}
  if ! has gh; then
    printf 'Not checked: where the archive was built, because gh is not installed\n'
  elif ! gh auth status >/dev/null 2>&1; then
    printf 'Not checked: where the archive was built, because gh is not signed in\n'
  elif gh attestation verify "$1" --repo "$repository" >/dev/null 2>"$work/gh.txt"; then
    printf 'Checked: GitHub built the archive from %s\n' "$repository"
  else
    printf '%s\n' "$(shown "$(tail -n 1 "$work/gh.txt")")" >&2
    fail "gh finds no proof that the archive was built from $repository: nothing was installed" \
      'the archive is not the one that was released, or gh cannot reach GitHub: try again later'
  fi
}

# Whether it would be found as `pixelctl`, and how to remove it.
describe_result() {
  case :$PATH: in
    *":$bin:"*)
      found=$(command -v pixelctl || :)
      if [ "$found" != "$bin/pixelctl" ]; then printf 'Note: pixelctl on the path is another one: %s\n' "$found"; fi
      ;;
    *)
      # shellcheck disable=SC2016 # it is for the user's shell to expand
      printf 'Note: %s is not on the path. To add it: export PATH=%s:"$PATH"\n' "$bin" "$(quoted "$bin")"
      ;;
  esac
}

install_archive() {
  check_checksum_format
  check_address "$archive"
  case $archive in
    *.tar.gz | *.tgz) ;;
    *) refuse "This is not a .tar.gz archive: $archive" ;;
  esac
  if [ "$dry_run" = yes ]; then
    printf 'Would download %s\nWould check that its SHA-256 checksum is %s\nWould install %s\n' "$archive" "$sha256" "$bin/pixelctl"
    return
  fi
  if [ -d "$bin/pixelctl" ]; then fail "$bin/pixelctl is a folder" 'remove it, or choose another --prefix'; fi

  printf 'Downloading %s\n' "$archive"
  download "$archive" "$work/archive.tar.gz"
  actual=$(checksum_of "$work/archive.tar.gz")
  if [ "$actual" != "$sha256" ]; then
    printf 'Expected: %s\nReceived: %s\n' "$sha256" "$actual" >&2
    fail "The checksum of $archive is wrong: nothing was installed" 'the download is damaged, or somebody has changed the archive'
  fi

  check_provenance "$work/archive.tar.gz"

  mkdir "$work/unpacked"
  if ! tar -xzf "$work/archive.tar.gz" -C "$work/unpacked"; then
    fail "Cannot unpack the archive in $work" 'is the disk full? Set TMPDIR to use another folder'
  fi
  program=
  for file in "$work/unpacked"/pixelctl "$work/unpacked"/*/pixelctl; do if [ -f "$file" ]; then program=$file; fi; done
  if [ -z "$program" ]; then fail "There is no program in $archive"; fi

  # Written beside its place, and renamed: a program that runs or is started meanwhile is whole.
  mkdir -p "$bin" || fail "Cannot create the folder $bin" 'choose another --prefix'
  staged=$(mktemp "$bin/.pixelctl.XXXXXX") || fail "Cannot write into $bin" 'choose another --prefix'
  if ! cp "$program" "$staged" || ! chmod 755 "$staged"; then
    fail "Cannot write into $bin: nothing was installed" 'is the disk full? Choose another --prefix'
  fi
  installed=$("$staged" --version) || fail 'The program in the archive does not run on this machine: nothing was installed' \
    'check that the archive is for this system'
  mv -f "$staged" "$bin/pixelctl" || fail "Cannot write $bin/pixelctl: nothing was installed" 'choose another --prefix'
  staged=
  printf 'Installed %s as %s\nTo remove it: rm %s\n' "${installed%% *}" "$bin/pixelctl" "$(quoted "$bin/pixelctl")"
  describe_result
}

install_checkout() {
  if [ "$dry_run" = yes ]; then
    printf 'Would build %s\nWould install %s, which runs what was built there\n' "$checkout" "$bin/pixelctl"
    return
  fi
  has npm || fail 'npm is not installed, and building needs Node and npm'
  printf 'Building %s\n' "$checkout"
  (cd "$checkout" && npm run build) || fail "Cannot build $checkout: nothing was installed"
  # Linked, not copied: the dependencies are those of the checkout.
  (cd "$checkout" && npm install --global --prefix "$prefix" --no-audit --no-fund .) || fail "Cannot install into $prefix"
  printf 'Installed %s\nTo remove it: npm uninstall --global --prefix %s pixelctl\n' "$bin/pixelctl" "$(quoted "$prefix")"
  describe_result
}

clean_up() {
  if [ -n "$staged" ]; then rm -f "$staged"; fi
  if [ -n "$work" ]; then rm -rf "$work"; fi
}

# Everything is in functions, so that a script of which only a part arrived does nothing.
main() {
  forget_tokens
  version=
  prefix=
  release_url=${PIXELCTL_RELEASE_URL-}
  archive=${PIXELCTL_ARCHIVE-}
  sha256=${PIXELCTL_SHA256-}
  from_checkout=no
  dry_run=no
  while [ $# -gt 0 ]; do
    case $1 in
      --version=* | --prefix=* | --release-url=* | --archive=* | --sha256=*)
        option=${1%%=*}
        value=${1#*=}
        ;;
      --version | --prefix | --release-url | --archive | --sha256)
        option=$1
        if [ $# -lt 2 ]; then refuse "$1 needs a value" 'see --help'; fi
        value=$2
        shift
        ;;
      *)
        option=$1
        value=none
        ;;
    esac
    shift
    if [ -z "$value" ]; then refuse "$option needs a value" 'see --help'; fi
    case $option in
      --version) version=${value#v} ;;
      --prefix) prefix=$value ;;
      --release-url) release_url=$value ;;
      --archive) archive=$value ;;
      --sha256) sha256=$value ;;
      --from-checkout) from_checkout=yes ;;
      --dry-run) dry_run=yes ;;
      --help | -h)
        usage
        exit 0
        ;;
      *) refuse "Unknown option: $option" 'see --help' ;;
    esac
  done

  case $version in *[!0-9A-Za-z.+-]*) refuse "This is not a version: $version" ;; esac
  if [ -n "$archive" ] && [ -z "$sha256" ]; then refuse '--archive needs --sha256, the checksum of the archive'; fi
  if [ -n "$sha256" ] && [ -z "$archive" ]; then refuse '--sha256 needs --archive, the address of the archive'; fi
  if [ -n "$archive" ] && [ -n "$version" ]; then refuse '--archive and --version cannot be used together'; fi
  if [ -z "$prefix" ]; then
    if [ -z "${HOME-}" ]; then refuse 'HOME is not set' 'name a folder with --prefix'; fi
    prefix=$HOME/.local
  fi
  case $prefix in /*) ;; *) prefix=$(pwd)/$prefix ;; esac
  bin=${prefix%/}/bin

  work=
  staged=
  trap clean_up EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM

  release_url=${release_url:-$filled_in_release_url}
  if [ "$from_checkout" = yes ] || { [ -z "$archive$release_url$version" ] && find_checkout >/dev/null; }; then
    checkout=$(find_checkout) || refuse 'This script is not in a checkout of pixelctl'
    install_checkout
    return
  fi
  if [ -z "$archive$release_url" ]; then
    refuse 'No release address is set' 'name one with --release-url, or an archive with --archive and --sha256, or run this script in a checkout'
  fi
  work=$(mktemp -d) || fail 'Cannot create a temporary folder' 'set TMPDIR to use another folder'
  if [ -z "$archive" ]; then find_archive; fi
  install_archive
}

main "$@"
