/**
 * A dialog with a form that is sent to one operation. It asks before it discards changes, shows the
 * faults of the server at their fields, and refetches what has changed before it closes.
 */
import { Button, Group, type ModalProps, Stack } from '@mantine/core';
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import type { OperationName } from '../../api/client.ts';
import { useMessages } from '../../i18n/messages.ts';
import { useNotices } from '../action/notices.ts';
import { FaultAlert } from '../fault/fault.tsx';
import { AskedDrawer, AskedModal, useChanged } from '../form/asked-close.tsx';
import { type Fields, faultsOf, fieldsOf } from '../form/fields.ts';
import { DialogContent } from '../layout/dialog-content.tsx';
import { FormActions } from './form-actions.tsx';

interface DialogForm<T extends object, A> {
  /** The form as it is opened. */
  first: T;
  /** Its body has the fields; absent where nothing is sent to the server. */
  operation?: OperationName;
  send(form: T): Promise<A>;
  /** The notification after it was sent; none where it says enough by itself. */
  done?(answer: A): string | null;
  /** Queries that the operation changes. */
  lists?: readonly QueryKey[];
  /** Of the button that sends it: *Save* by default. */
  action?: string | ((form: T) => string) | undefined;
  isReady?(form: T): boolean;
  /** Once the result was read, if there is one; closes the dialog by default. */
  onDone?(answer: A): void;
  onRemove?: (() => void) | undefined;
  children(fields: Fields<T>): ReactNode;
}

export interface FormDialogProps<T extends object, A> extends DialogForm<T, A> {
  opened?: boolean;
  title: string;
  size?: ModalProps['size'];
  /** The width of a drawer, in place of a dialog. */
  drawer?: number;
  /** What is shown in place of the form once it was sent. Only its button closes the dialog. */
  result?: { title?: string; view(answer: A): ReactNode };
  /** Below the form. */
  below?: ReactNode;
  onClose(): void;
}

export function FormDialog<T extends object, A>(props: FormDialogProps<T, A>) {
  const { opened = true, title, size = 'md', drawer, result, below, onClose, ...form } = props;
  const [sent, setSent] = useState<{ answer: A } | null>(null);
  const t = useMessages('common');
  const shell = {
    opened,
    title: (sent && result?.title) ?? title,
    closable: sent === null,
    onClose,
  };
  function finish(answer: A): void {
    setSent(null);
    (form.onDone ?? onClose)(answer);
  }
  const onDone = result ? (answer: A) => setSent({ answer }) : finish;
  const content = (askedClose: () => void) =>
    sent && result ? (
      <Stack>
        {result.view(sent.answer)}
        <Group justify="flex-end">
          <Button onClick={() => finish(sent.answer)} data-autofocus>
            {t.close}
          </Button>
        </Group>
      </Stack>
    ) : (
      <DialogContent>
        <Stack gap="lg">
          <Form {...form} onDone={onDone} onCancel={askedClose} />
          {below}
        </Stack>
      </DialogContent>
    );
  if (drawer !== undefined)
    return (
      <AskedDrawer {...shell} size={drawer} closeLabel={t.cancel}>
        {content}
      </AskedDrawer>
    );
  return (
    <AskedModal {...shell} size={size}>
      {content}
    </AskedModal>
  );
}

interface FormProps<T extends object, A> extends DialogForm<T, A> {
  onDone(answer: A): void;
  onCancel(): void;
}

function Form<T extends object, A>(props: FormProps<T, A>) {
  const { first, operation, action, isReady, onRemove, onCancel, children } = props;
  const { save } = useMessages('common');
  const [form, setForm] = useState(first);
  const request = useSending(form, props);
  const set = (change: Partial<T>) => setForm((before) => ({ ...before, ...change }));

  function submit(event: FormEvent): void {
    event.preventDefault();
    // A dialog that a form opened is inside that form for React, which would send it as well.
    event.stopPropagation();
    request.mutate();
  }

  return (
    <form onSubmit={submit} autoComplete="off" noValidate>
      <Stack>
        {children(fieldsOf({ value: form, set, faults: faultsOf(request.error) }, operation))}
        <FaultAlert error={request.error} />
        <FormActions
          action={typeof action === 'function' ? action(form) : (action ?? save)}
          pending={request.isPending}
          disabled={isReady?.(form) === false}
          onCancel={onCancel}
          onRemove={onRemove}
        />
      </Stack>
    </form>
  );
}

function useSending<T extends object, A>(
  form: T,
  { send, done, lists = [], onDone }: FormProps<T, A>,
) {
  const notices = useNotices();
  const queries = useQueryClient();
  const forget = useChanged(form);
  return useMutation({
    mutationFn: () => send(form),
    async onSuccess(answer) {
      await Promise.all(lists.map((queryKey) => queries.invalidateQueries({ queryKey })));
      const message = done?.(answer) ?? null;
      if (message !== null) notices.done(message);
      forget();
      onDone(answer);
    },
  });
}
