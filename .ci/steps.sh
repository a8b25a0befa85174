# Sourced by `.ci/run` and `.ci/verify`: timed steps whose test counts are summed up at the end.
# A failed step does not stop the run. The last line is "N passed, N failed, N skipped" over all test steps.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

counts='^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$'
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
failures=()
durations=()

# step <name> <command...>: runs the command, shows its output as it comes, and keeps it for the sums.
step() {
  local name=$1 started=$SECONDS verdict=done
  shift
  printf '\n=== %s\n' "$name"
  if ! "$@" 2>&1 | tee "$output/$name"; then
    verdict=FAILED
    failures+=("$name")
  fi
  durations+=("$(printf '%5d s  %s' $((SECONDS - started)) "$name")")
  printf '=== %s: %s in %d s\n' "$name" "$verdict" $((SECONDS - started))
  [ "$verdict" = done ]
}

# A step that runs tests. Without its counts it has failed, whatever its exit code.
test_step() {
  step "$@"
  if ! grep -Eq "$counts" "$output/$1"; then
    printf '0 passed, 1 failed, 0 skipped\n' >"$output/$1"
    failures+=("$1 (no counts)")
  fi
}

# Without a terminal, ends a command and all of its processes after 45 minutes.
with_deadline() {
  if [ -t 0 ]; then "$@"; else timeout --kill-after=30 45m "$@"; fi
}

# The Kubernetes programs and packages that the suites need. Builds only what the cache folder lacks.
prepare_kubernetes() {
  npm run --silent kubernetes -- kwok helm nodes shells
}

summarize() {
  printf '\n=== durations\n'
  printf '%s\n' "${durations[@]}"
  printf '%5d s  in all\n' "$SECONDS"
  [ ${#failures[@]} -eq 0 ] || printf 'Failed: %s\n' "${failures[@]}"
  cat "$output"/* | grep -E '^failed: '
  cat "$output"/* | grep -E "$counts" | awk -F '[ ,]+' '
    { passed += $1; failed += $3; skipped += $5 }
    END { printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped }'
}

finish() {
  summarize
  exit $((${#failures[@]} > 0))
}
