import type { Reporter, SerializedError, TestCase, TestModule } from 'vitest/node';

/** Closes a run with what failed, a line each, and with its counts alone on a line, which any log reader can count. */
export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, errors: ReadonlyArray<SerializedError>): void {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const fail = (name: string, reason = 'no reason given') => {
      count.failed += 1;
      process.stdout.write(`failed: ${name}: ${reason.split('\n', 1)[0]}\n`);
    };
    for (const error of errors) fail('outside of any test', wordsOf(error));
    for (const module of modules) {
      // What a file or a group does before and after its tests.
      for (const part of [module, ...module.children.allSuites()]) {
        for (const error of part.errors()) fail(module.relativeModuleId, error.message);
      }
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'failed' || state === 'pending') fail(nameOf(test), reasonOf(test));
        else count[state] += 1;
      }
    }
    process.stdout.write(
      `${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped\n`,
    );
  }
}

function wordsOf({ message, cause }: SerializedError): string {
  return cause?.message ? `${message}: ${cause.message}` : message;
}

function nameOf({ module, fullName }: TestCase): string {
  return `${module.relativeModuleId} > ${fullName}`;
}

function reasonOf(test: TestCase): string {
  return test.result().errors?.[0]?.message ?? 'it did not end';
}
