import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Closes a run with what failed, a line each, and with its counts alone on a line, which any log reader can count. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const count = { passed: 0, failed: errors.length, skipped: 0, pending: 0 };
    for (const error of errors) sayFailed('outside of any test', error.message);
    for (const module of modules) {
      if (module.errors().length > 0) {
        count.failed += 1;
        sayFailed(module.moduleId, module.errors()[0]?.message);
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state] += 1;
        if (state === 'failed' || state === 'pending') sayFailed(...describeFailure(test));
      }
    }
    process.stdout.write(
      `${count.passed} passed, ${count.failed + count.pending} failed, ${count.skipped} skipped\n`,
    );
  }
}

function describeFailure(test: TestCase): [name: string, reason: string | undefined] {
  return [
    `${test.module.relativeModuleId} > ${test.fullName}`,
    test.result().errors?.[0]?.message ?? 'it did not end',
  ];
}

function sayFailed(name: string, reason = 'no reason given'): void {
  process.stdout.write(`failed: ${name}: ${reason.split('\n', 1)[0]}\n`);
}
