#!/bin/sh
# All of the set-up behind the Makefile, for a machine that has only Python and make.
#
#   scripts/setup.sh EXTRA     .venv with Assay (editable) and that extra of pyproject.toml
#   scripts/setup.sh minimum   .venv-minimum with the lowest versions that pyproject.toml allows
#   scripts/setup.sh oracles   .venv-oracles with requirements/oracles.txt, without Assay
#   scripts/setup.sh containers   .venv-containers-*: pandas 2, pandas 3 without pyarrow, neither
#   scripts/setup.sh spark     .venv-spark with the extra spark, and a JRE 17 if it can be had
#   scripts/setup.sh browser   a chromium for the browser tests, if one can be had
#   scripts/setup.sh postgres  PostgreSQL for the tests of campaigns, if it can be had
#
# PYTHON=/path/to/python chooses the interpreter. A second call finds the stamp of the first and
# does nothing, without network; a changed pyproject.toml or lock, another place of the clone,
# another PYTHON or one that is gone installs again.
set -eu
cd "$(dirname "$0")/.."

# What the caller's shell may hold and an environment of our own must not see.
unset PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH PIP_USER PIP_TARGET PIP_PREFIX

lock=requirements/test.lock
venv=.venv
pythons="python3.14 python3.13 python3.12 python3.11 python3 python"

say() { printf '%s\n' "$*" >&2; }
stop() { say "$@"; exit 1; }
is_root() { [ "$(id -u)" -eq 0 ]; }
has() { command -v "$1" >/dev/null 2>&1; }

apt_install() { # needs root; what apt prints is kept for the case that it fails
    is_root && has apt-get || return 1
    log=$(mktemp)
    if {
        DEBIAN_FRONTEND=noninteractive apt-get update -q &&
            DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
    } >"$log" 2>&1; then
        rm -f "$log"
    else
        tail -n 5 "$log" >&2
        rm -f "$log"
        return 1
    fi
}

# ---------------------------------------------------------------------------------- Python

# A name on PATH proves nothing (version managers leave shims for versions that are gone): run it.
new_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
has_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

find_python() { # sets python; one that can make a complete environment is preferred
    if [ -n "${PYTHON:-}" ]; then
        new_enough "$PYTHON" || stop "PYTHON=$PYTHON is not a working Python 3.11 or newer."
        python=$PYTHON
        return
    fi
    python=
    for name in $pythons; do
        new_enough "$name" || continue
        if has_venv "$name"; then
            python=$name
            return
        fi
        python=${python:-$name}
    done
    [ -n "$python" ] || stop "Assay needs Python 3.11 or newer, and none was found on PATH.
  Debian, Ubuntu: apt-get install python3 python3-venv
  macOS:          brew install python
Or name one: make PYTHON=/path/to/python3.11 ..."
}

new_venv() { # .place tells where it was made, and that we made it and may remove it
    rm -rf "$venv"
    mkdir "$venv"
    pwd -P >"$venv/.place"
    "$python" -m venv "$@" "$venv"
}

make_venv() {
    if [ -e "$venv" ] && [ ! -e "$venv/.place" ]; then
        stop "$venv is there already and was not made by make: move it away, or rm -r $venv."
    fi
    find_python
    say "Making $venv with $python ..."
    if has_venv "$python"; then
        new_venv
        return
    fi
    # Debian keeps ensurepip in a package of its own; a pip outside can do its work.
    if "$python" -m pip --version >/dev/null 2>&1 &&
        new_venv --without-pip >/dev/null 2>&1 &&
        "$python" -m pip --python "$venv/bin/python" install --quiet pip >/dev/null 2>&1; then
        return
    fi
    rm -rf "$venv"
    version=$("$python" -c 'import sys; print("python%d.%d" % sys.version_info[:2])')
    if is_root && has apt-get; then
        say "The venv module of $python is missing; installing python3-venv ..."
        apt_install python3-venv "$version-venv" || apt_install "$version-venv" ||
            apt_install python3-venv || true
        if has_venv "$python"; then
            new_venv
            return
        fi
    fi
    stop "$python cannot make a virtual environment: its venv module is missing.
  Debian, Ubuntu: apt-get install python3-venv      (as root; or $version-venv)
  elsewhere:      install the venv and ensurepip modules of this Python
Or name a Python that has them: make PYTHON=/path/to/python3.11 ..."
}

# --------------------------------------------------------------------------------- install

version_of() { "$1" -c 'import sys; print(sys.version)' 2>/dev/null; }
has_pip() { "$1" -c 'import importlib.util as u, sys; sys.exit(not u.find_spec("pip"))' 2>/dev/null; }

venv_is_sound() { # made here, its Python still has its packages, and is the one asked for
    [ "$(cat "$venv/.place" 2>/dev/null)" = "$(pwd -P)" ] || return 1
    has_pip "$venv/bin/python" || return 1
    [ -z "${PYTHON:-}" ] || [ "$(version_of "$PYTHON")" = "$(version_of "$venv/bin/python")" ]
}

fingerprint() { cat pyproject.toml "$lock" 2>/dev/null | cksum; }
installed() { [ "$(cat "$venv/.installed-$1" 2>/dev/null)" = "$(fingerprint)" ]; }

pip_install() { "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-input "$@"; }

install() {
    extra=$1
    if venv_is_sound; then
        installed "$extra" && return
        # The test extra holds the demo's.
        [ "$extra" = demo ] && installed test && return
    else
        make_venv
    fi
    rm -f "$venv/.installed-$extra"
    say "Installing assay-eval[$extra]; the first time takes a minute or two ..."
    if ! pip_install --constraint "$lock" --editable ".[$extra]"; then
        say "The versions in $lock could not be installed; trying the bounds of pyproject.toml ..."
        pip_install --editable ".[$extra]" ||
            stop "The installation failed: pip's reason stands above (is there a network?)."
    fi
    fingerprint >"$venv/.installed-$extra"
}

install_minimum() {
    venv=.venv-minimum
    pythons="python3.11 python3.12 python3 python" # oldest first: old versions lack newer wheels
    if venv_is_sound; then
        installed minimum && return
    else
        make_venv
    fi
    rm -f "$venv/.installed-minimum"
    say "Installing the lowest versions that pyproject.toml allows ..."
    "$venv/bin/python" scripts/minimum.py >"$venv/minimum.txt"
    pip_install --constraint "$venv/minimum.txt" --editable ".[demo,pandas,plots,zstd]" \
        hypothesis import-linter pytest pytest-xdist statsmodels ||
        stop "The installation failed: see pip's message above."
    fingerprint >"$venv/.installed-minimum"
}

install_oracles() { # an environment of its own: its libraries need not fit ours
    venv=.venv-oracles
    lock=requirements/oracles.txt
    if venv_is_sound; then
        installed oracles && return
    else
        make_venv
    fi
    rm -f "$venv/.installed-oracles"
    say "Installing $lock ..."
    pip_install --requirement "$lock" || stop "The installation failed: see pip's message above."
    fingerprint >"$venv/.installed-oracles"
}

install_containers() { # one environment for each set of containers that users may have
    for kind in pandas2 pandas3 neither; do
        venv=.venv-containers-$kind
        if venv_is_sound; then
            installed containers && continue
        else
            make_venv
        fi
        rm -f "$venv/.installed-containers"
        case $kind in
        pandas2) libraries="pandas>=2.2.2,<3 pyarrow" ;;
        pandas3) libraries="pandas>=3,<4" ;; # without pyarrow
        neither) libraries= ;;
        esac
        say "Installing $venv ..."
        # shellcheck disable=SC2086 # several requirements
        pip_install --editable . hypothesis pytest $libraries ||
            stop "The installation failed: see pip's message above."
        fingerprint >"$venv/.installed-containers"
    done
}

# ----------------------------------------------------------------------------------- spark

find_java() { # Spark needs 17 or newer; a stub without a JRE answers nothing
    for program in "${JAVA_HOME:-/nonexistent}/bin/java" java; do
        version=$("$program" -version 2>&1 | sed -n '1s/.*version "\([0-9]*\).*/\1/p')
        [ "${version:-0}" -ge 17 ] && return
    done
    return 1
}

java_runtime() { # never fatal: the tests on Spark skip themselves, by name, where there is none
    find_java && return
    if ! is_root || ! has apt-get; then
        say "tests on Spark will not run: no Java 17, and no root with apt-get to install it"
    elif say "Installing a JRE ..." && ! { apt_install openjdk-17-jre-headless && find_java; }; then
        say "tests on Spark will not run: apt-get could not install openjdk-17-jre-headless"
    fi
}

install_spark() { # an environment of its own: Spark needs pandas 2
    venv=.venv-spark
    lock=requirements/spark.lock
    java_runtime
    if venv_is_sound; then
        installed spark && return
    else
        make_venv
    fi
    rm -f "$venv/.installed-spark"
    say "Installing assay-eval[spark]; Spark is large, the first time takes minutes ..."
    if ! pip_install --constraint "$lock" --editable ".[spark]" --requirement requirements/spark.in; then
        say "The versions in $lock could not be installed; trying the bounds of pyproject.toml ..."
        if ! pip_install --editable ".[spark]" --requirement requirements/spark.in; then
            say "tests on Spark will not run: pip could not install PySpark, for the reason above"
            return
        fi
    fi
    fingerprint >"$venv/.installed-spark"
}

# --------------------------------------------------------------------------------- browser

find_browser() {
    for name in "${ASSAY_BROWSER:-}" chromium chromium-browser google-chrome; do
        if [ -n "$name" ] && "$name" --version >/dev/null 2>&1; then
            return
        fi
    done
    return 1
}

browser() { # never fatal: the browser tests skip themselves where there is none
    find_browser && return
    if ! is_root || ! has apt-get; then
        say "browser tests will not run: no chromium on PATH or in ASSAY_BROWSER, and no root with apt-get to install it"
    elif say "Installing chromium ..." && ! { apt_install chromium && find_browser; }; then
        say "browser tests will not run: apt-get could not install chromium"
    fi
}

# -------------------------------------------------------------------------------- postgres

find_postgres() { # where tests/benchmark/campaign/conftest.py looks
    has initdb && return
    for program in /usr/lib/postgresql/*/bin/initdb; do
        [ -x "$program" ] && return
    done
    return 1
}

postgres() { # never fatal: the tests on PostgreSQL skip themselves, by name, where there is none
    find_postgres && return
    if ! is_root || ! has apt-get; then
        say "tests on PostgreSQL will not run: no initdb, and no root with apt-get to install postgresql"
    elif say "Installing postgresql ..." && ! { apt_install postgresql && find_postgres; }; then
        say "tests on PostgreSQL will not run: apt-get could not install postgresql"
    fi
}

case ${1:-} in
demo | test | bench | docs) install "$1" ;;
minimum) install_minimum ;;
oracles) install_oracles ;;
containers) install_containers ;;
spark) install_spark ;;
browser) browser ;;
postgres) postgres ;;
*) stop "usage: scripts/setup.sh demo|test|bench|docs|minimum|oracles|containers|spark|browser|postgres" ;;
esac
