import type { Architecture } from './image.ts';

/**
 * The program that holds a pod's namespaces open, instruction by instruction: small enough that writing it out needs less
 * than any compiler would. It does what its place as process 1 asks for:
 *
 *     rt_sigaction(SIGCHLD, ignore)     orphans of the pod that end are buried by the kernel
 *     rt_sigprocmask(block, INT TERM)   process 1 is not sent signals that it has no handler for, unless they are blocked
 *     do rt_sigtimedwait(INT TERM) while it fails   (it does when the process is stopped and continued)
 *     exit(0)
 */
export function forgePauseProgram(architecture: Architecture): Buffer {
  const { machine, code } = programs[architecture];
  const data = Buffer.concat([forgeIgnoreAction(), forgeSignalSet()]);
  const text = Buffer.from(code());
  return Buffer.concat([forgeElfHeader(machine), ...forgeSegments(text.length), data, text]);
}

const elfHeaderSize = 64;
const segmentSize = 56;
const baseAddress = 0x400000;
const ignoreOffset = elfHeaderSize + 2 * segmentSize;
const signalSetOffset = ignoreOffset + 32;
const textOffset = signalSetOffset + 8;
const ignoreAddress = baseAddress + ignoreOffset;
const signalSetAddress = baseAddress + signalSetOffset;

const sigInt = 2;
const sigTerm = 15;
const sigChld = 17;
const signalSetSize = 8;

const programs = {
  amd64: { machine: 0x3e, code: amd64Code },
  arm64: { machine: 0xb7, code: arm64Code },
} as const;

function amd64Code(): number[] {
  const setup = [
    ...amd64Call(13, [sigChld, ignoreAddress, 0, signalSetSize]),
    ...amd64Call(14, [0, signalSetAddress, 0, signalSetSize]),
  ];
  const wait = amd64Call(128, [signalSetAddress, 0, 0, signalSetSize]);
  const test = [0x85, 0xc0]; // test eax, eax
  const again = [0x78, -(wait.length + test.length + 2) & 0xff]; // js wait
  return [...setup, ...wait, ...test, ...again, ...amd64Call(60, [0])];
}

/** `mov` of a 32-bit number into each of rdi, rsi, rdx, r10 and rax (which clears the upper half), then `syscall`. */
function amd64Call(number: number, args: readonly number[]): number[] {
  const moves = [[0xbf], [0xbe], [0xba], [0x41, 0xba]];
  const loads = args.flatMap((value, index) => [...(moves[index] ?? []), ...littleEndian(value)]);
  return [...loads, 0xb8, ...littleEndian(number), 0x0f, 0x05];
}

function arm64Code(): number[] {
  const setup = [
    ...arm64Call(134, [sigChld, ignoreAddress, 0, signalSetSize]),
    ...arm64Call(135, [0, signalSetAddress, 0, signalSetSize]),
  ];
  const wait = arm64Call(137, [signalSetAddress, 0, 0, signalSetSize]);
  const distance = -wait.length & 0x3fff;
  const again = (0xb7f80000 | (distance << 5)) >>> 0; // tbnz x0, #63, wait: as long as the answer is negative
  return [...setup, ...wait, again, ...arm64Call(93, [0])].flatMap(littleEndian);
}

/** `movz` and `movk` of a 32-bit number into each of x0 to x3 and x8, then `svc #0`. */
function arm64Call(number: number, args: readonly number[]): number[] {
  const load = (register: number, value: number) => [
    (0xd2800000 | ((value & 0xffff) << 5) | register) >>> 0,
    (0xf2a00000 | ((value >>> 16) << 5) | register) >>> 0,
  ];
  return [...args.flatMap((value, index) => load(index, value)), ...load(8, number), 0xd4000001];
}

function littleEndian(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff, (value >>> 16) & 0xff, value >>> 24];
}

/** The kernel's `struct sigaction`: a handler of 1 is "ignore"; flags, restorer and mask are zero. */
function forgeIgnoreAction(): Buffer {
  const action = Buffer.alloc(32);
  action.writeBigUInt64LE(1n, 0);
  return action;
}

function forgeSignalSet(): Buffer {
  const set = Buffer.alloc(signalSetSize);
  set.writeUInt32LE((1 << (sigInt - 1)) | (1 << (sigTerm - 1)), 0);
  return set;
}

function forgeElfHeader(machine: number): Buffer {
  const header = Buffer.alloc(elfHeaderSize);
  header.write('\x7fELF\x02\x01\x01', 'latin1'); // 64 bits, little-endian, version 1
  header.writeUInt16LE(2, 16); // an executable at a fixed address
  header.writeUInt16LE(machine, 18);
  header.writeUInt32LE(1, 20);
  header.writeBigUInt64LE(BigInt(baseAddress + textOffset), 24); // where it starts
  header.writeBigUInt64LE(BigInt(elfHeaderSize), 32); // where the segments are
  header.writeUInt16LE(elfHeaderSize, 52);
  header.writeUInt16LE(segmentSize, 54);
  header.writeUInt16LE(2, 56);
  return header;
}

/** The whole file, to be read and executed, and a stack that is not executable. */
function forgeSegments(textSize: number): Buffer[] {
  const size = BigInt(textOffset + textSize);
  const whole = Buffer.alloc(segmentSize);
  whole.writeUInt32LE(1, 0); // LOAD
  whole.writeUInt32LE(5, 4); // read, execute
  whole.writeBigUInt64LE(BigInt(baseAddress), 16);
  whole.writeBigUInt64LE(BigInt(baseAddress), 24);
  whole.writeBigUInt64LE(size, 32);
  whole.writeBigUInt64LE(size, 40);
  whole.writeBigUInt64LE(0x10000n, 48); // the largest page of arm64
  const stack = Buffer.alloc(segmentSize);
  stack.writeUInt32LE(0x6474e551, 0); // GNU_STACK
  stack.writeUInt32LE(6, 4); // read, write
  stack.writeBigUInt64LE(16n, 48);
  return [whole, stack];
}
