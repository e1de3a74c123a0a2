/**
 * Redis stream ids: `milliseconds-sequence`, compared as numbers, because `9-0` is before `10-0`.
 */
export type StreamId = string;

const GRAMMAR = /^\d{1,16}-\d{1,16}$/;

export function isStreamId(text: string): text is StreamId {
  return GRAMMAR.test(text);
}

export function compareIds(a: StreamId, b: StreamId): number {
  const [timeA, sequenceA] = parts(a);
  const [timeB, sequenceB] = parts(b);
  return Math.sign(timeA === timeB ? sequenceA - sequenceB : timeA - timeB);
}

export function earliest(ids: readonly StreamId[]): StreamId | null {
  return ids.reduce<StreamId | null>(
    (first, id) => (first === null || compareIds(id, first) < 0 ? id : first),
    null,
  );
}

/** The smallest id after this one. */
export function following(id: StreamId): StreamId {
  const [time, sequence] = parts(id);
  return `${time}-${sequence + 1}`;
}

/** Milliseconds. */
export function timeOf(id: StreamId): number {
  return parts(id)[0];
}

function parts(id: StreamId): [time: number, sequence: number] {
  const [time = '0', sequence = '0'] = id.split('-');
  return [Number(time), Number(sequence)];
}
