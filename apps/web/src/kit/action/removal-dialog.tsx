/** Deletes an entry after a confirmation. */
import { ConfirmedAct, type ConfirmedActProps } from './confirmed-act.tsx';

export interface RemovalWords {
  removeTitle(name: string): string;
  /** Of the button: a verb. */
  removeAction: string;
  /** The notification after the deletion. */
  removed(name: string): string;
}

interface RemovalDialogProps extends Omit<ConfirmedActProps<unknown>, 'title' | 'action' | 'done'> {
  /** Of the entry. */
  name: string;
  words: RemovalWords;
}

export function RemovalDialog({ name, words, ...act }: RemovalDialogProps) {
  return (
    <ConfirmedAct
      {...act}
      title={words.removeTitle(name)}
      action={words.removeAction}
      done={() => words.removed(name)}
    />
  );
}
