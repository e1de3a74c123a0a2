/** The state of a settings form: it sends only changes and maps field faults to the fields. */
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { isProblem } from '../../api/problem-error.ts';
import { useNotices } from '../action/notices.ts';
import { useDraft } from './draft.ts';

interface DraftFormOptions<T> {
  /** Resolves after the stored settings were refetched. */
  send(changes: Partial<T>): Promise<unknown>;
  saved: string;
}

export function useDraftForm<T extends object>(stored: T, { send, saved }: DraftFormOptions<T>) {
  const { value, set, changes, dirty, discard } = useDraft(stored);
  const notices = useNotices();
  const save = useMutation({
    mutationFn: send,
    onSuccess: () => {
      discard();
      notices.done(saved);
    },
  });
  return {
    changes,
    fields: { value, set, faults: isProblem(save.error) ? save.error.fields : {} },
    onSubmit(event: FormEvent): void {
      event.preventDefault();
      if (dirty) save.mutate(changes);
    },
    bar: {
      dirty,
      pending: save.isPending,
      error: save.error,
      onDiscard(): void {
        save.reset();
        discard();
      },
    },
  };
}
