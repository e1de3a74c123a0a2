/** What a transfer is called: by its schedule, or by its first image and where it goes. */
import type { TransferView } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import { patternText } from './pattern-text.ts';

export type TitledTransfer = Pick<
  TransferView,
  'schedule_name' | 'first_image' | 'entry_count' | 'selections' | 'destination'
>;

interface TitleWords {
  fromTo(from: string, to: string): string;
  andMore(image: string, n: number): string;
}

interface TitleOptions {
  words: TitleWords;
  nameOf(end: TransferView['destination']): string;
}

export function transferTitle(transfer: TitledTransfer, { words, nameOf }: TitleOptions): string {
  const { schedule_name: schedule, entry_count: count, destination } = transfer;
  if (schedule !== null) return schedule;
  const image = firstImage(transfer);
  const folder = folderAt(transfer);
  return words.fromTo(
    count > 1 ? words.andMore(image, count - 1) : image,
    folder ?? nameOf(destination),
  );
}

function firstImage({ first_image: { repository, tag }, selections }: TitledTransfer): string {
  const pattern = selections.find(({ index }) => index === 0);
  const reference = tag ?? (pattern ? patternText(pattern.match) : '');
  if (reference === '') return repository;
  return `${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`;
}

/** Only in the built-in registry. */
function folderAt({ destination, first_image }: TitledTransfer): string | null {
  if (destination.registry_id !== LOCAL_REGISTRY_ID) return null;
  const folder = first_image.destination.split('/');
  return folder.length > 1 ? (folder[0] ?? null) : null;
}
