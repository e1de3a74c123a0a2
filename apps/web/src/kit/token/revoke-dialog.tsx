/** Asks before one token or several are revoked, and says which were not. */
import { Text } from '@mantine/core';
import type { PersonalToken } from '@portcullis/contract';
import { useMutation } from '@tanstack/react-query';
import { useMessages, useWords } from '../../i18n/messages.ts';
import { useBulkNotice } from '../action/bulk-notice.tsx';
import { bulkResultOf, settledInTurn } from '../action/bulk-result.ts';
import { ConfirmDialog } from '../action/confirm-dialog.tsx';
import { useNotices } from '../action/notices.ts';

export interface Revocation {
  revoke(token: PersonalToken): Promise<unknown>;
  /** Loads the list again, of which some may be revoked after a failure as well. */
  refresh(): Promise<unknown>;
}

interface RevokeDialogProps extends Revocation {
  opened: boolean;
  tokens: readonly PersonalToken[];
  onClose(): void;
  onDone(): void;
}

export function RevokeDialog({ opened, tokens, onClose, onDone, ...acts }: RevokeDialogProps) {
  const [t, format] = useWords('account');
  const names = tokens.map(({ name }) => name);
  const only = names.length === 1 ? names[0] : undefined;
  const revocation = useRevocation(tokens, acts, onDone);
  const close = () => {
    revocation.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      opened={opened}
      onClose={close}
      title={only === undefined ? t.revokeSeveral(names.length) : t.revokeTitle(only)}
      action={t.revoke}
      pending={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
    >
      {only === undefined && (
        <Text mb="xs" fw={550} style={{ overflowWrap: 'anywhere' }}>
          {format.list(names)}
        </Text>
      )}
      {only === undefined ? t.revokeSeveralText : t.revokeText}
    </ConfirmDialog>
  );
}

/** The failure of one is shown in the dialog; those of several are counted by their reason. */
function useRevocation(
  tokens: readonly PersonalToken[],
  { revoke, refresh }: Revocation,
  onDone: () => void,
) {
  const t = useMessages('account');
  const notices = useNotices();
  const report = useBulkNotice();
  return useMutation({
    async mutationFn() {
      const results = await settledInTurn(tokens, revoke);
      await refresh();
      const [first] = results;
      if (results.length === 1 && first?.status === 'rejected') throw first.reason;
      return bulkResultOf(results);
    },
    onSuccess(result) {
      if (result.failed > 0) report(result);
      else notices.done(t.revoked(tokens.length, tokens[0]?.name ?? ''));
      onDone();
    },
  });
}
