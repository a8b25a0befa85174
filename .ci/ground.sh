# Sourced by `.ci/run` and `.ci/verify`: the steps that judge the ground (client, runtime, embedded Kubernetes, real
# clusters, simulation), and whether they are due. `npm run verify` records the commit at which all of them passed.
verified_file=.ci/verified-commit
next_node=24.21.0
cache="${XDG_CACHE_HOME:-$HOME/.cache}/liqo-ts"

# What the steps below judge, the judges themselves, and the versions they run with.
ground=(
  packages/{kube,runtime,minicluster,images,testkit,simulation}
  e2e/{kubectl,kubernetes,playground,random-programs,real-nodes} ':(glob)e2e/*.verify.ts'
  .ci/ground.sh vitest.ground.config.ts package-lock.json
)

# Succeeds if the ground differs from the recorded commit, or if that commit is not in this clone.
ground_changed() {
  local verified
  verified=$(cat "$verified_file" 2>/dev/null) || return 0
  ! git diff --quiet "$verified" -- "${ground[@]}" 2>/dev/null
}

install_next_node() {
  local platform
  platform=$(node -p '`${process.platform}-${process.arch}`')
  npm install --silent --no-save --no-package-lock --prefix "$cache/node-$next_node" \
    "node-$platform@$next_node" || return
  ln -sfn "node_modules/node-$platform/bin" "$cache/node-$next_node/bin"
}

on_next_node() {
  PATH="$cache/node-$next_node/bin:$PATH"
  printf 'Node %s\n' "$(node --version)"
  "$@"
}

# verify_ground: needs the programs of `prepare_kubernetes`.
verify_ground() {
  step 'install the next Node' install_next_node &&
    test_step 'npm test on the next Node' on_next_node npm test
  step '2,000 random worlds' npm run --silent simulate -- --seeds 2000 --workers "$(nproc)"
  test_step 'npm run test:ground' with_deadline npm run test:ground
}
