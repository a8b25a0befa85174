/** By name, in lower case; several values of one name are joined with a zero byte. */
export type SpdyHeaders = ReadonlyMap<string, string>;

/** The frames of SPDY/3.1, without what Kubernetes has no use for (priorities, credentials). */
export type Frame =
  | {
      readonly type: 'syn-stream' | 'syn-reply' | 'headers';
      readonly streamId: number;
      readonly headers: SpdyHeaders;
      readonly fin: boolean;
    }
  | { readonly type: 'rst-stream'; readonly streamId: number; readonly status: number }
  | { readonly type: 'settings'; readonly settings: readonly Setting[] }
  | { readonly type: 'ping'; readonly id: number }
  | { readonly type: 'goaway'; readonly lastStreamId: number; readonly status: number }
  | { readonly type: 'window-update'; readonly streamId: number; readonly delta: number }
  | {
      readonly type: 'data';
      readonly streamId: number;
      readonly bytes: Uint8Array;
      readonly fin: boolean;
    };

export interface Setting {
  readonly id: number;
  readonly flags: number;
  readonly value: number;
}

export const controlTypes = {
  'syn-stream': 1,
  'syn-reply': 2,
  'rst-stream': 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  headers: 8,
  'window-update': 9,
} as const;

export const finFlag = 1;
/** Lengths have 24 bits. */
export const maxPayload = 0xff_ffff;
/** Stream ids have 31 bits. */
export const idMask = 0x7fff_ffff;
