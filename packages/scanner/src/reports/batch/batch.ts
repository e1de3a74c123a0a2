/** Common parts of the documents of many images: these are read one after the other. */
import type { PinnedImage } from '@portcullis/domain';
import { type JsonMember, jsonMembers } from './json-members.ts';

/** The report of an image in the format of the document. */
export type ImageDocument =
  | { content: AsyncIterable<Buffer> }
  /** Why there is none; null where the image was never scanned. */
  | { fault: string | null };

export interface BatchImage {
  /** `registry/repository:tag@digest`, or without a digest where the pull failed. */
  name: string;
  repository: string;
  /** Null while no digest is known. */
  pinned: PinnedImage | null;
  outcome: string;
  /** Why it was not pushed; null where nothing stopped it. */
  code: string | null;
  /** In English. */
  reason: string | null;
  /** Called for each section of the document. Answers the same at each call. */
  open(): Promise<ImageDocument>;
}

export interface ImageBatch {
  /** `transfer/SOURCE/DESTINATION`: it stays the same when the batch is repeated. */
  category: string;
  name: string;
  at: Date;
  images: readonly BatchImage[];
}

/** Identifies an image in its document: its number, beginning with one. */
export type NumberedImage = BatchImage & { label: string };

export function numberImages({ images }: ImageBatch): NumberedImage[] {
  return images.map((image, position) => ({ ...image, label: String(position + 1) }));
}

/** Members of the document of an image; none where it has none. */
export async function* membersOf(
  image: BatchImage,
  ...wanted: string[]
): AsyncGenerator<JsonMember> {
  const document = await image.open();
  if ('content' in document) yield* jsonMembers(document.content, wanted);
}

/** Members at the head of the first document, up to the last of the given keys. */
export async function headOf(
  { images }: ImageBatch,
  ...wanted: string[]
): Promise<Record<string, unknown>> {
  for (const image of images) {
    const head: Record<string, unknown> = {};
    for await (const { key, text } of membersOf(image, ...wanted)) {
      head[key] = JSON.parse(text);
      if (Object.keys(head).length === wanted.length) break;
    }
    if (Object.keys(head).length > 0) return head;
  }
  return {};
}

export function outcomeText({ outcome, code }: BatchImage): string {
  return `Outcome: ${outcome}${code === null ? '' : ` (${code})`}`;
}
