/** Where the account receives each kind of notification. A change is saved at once. */
import type { NotificationSetting } from '@portcullis/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ask, call } from '../../../api/api.ts';

const CHOICES = ask('notifications.getNotificationSettings');
const SAVING = ['notifications.putNotificationSettings'];

export function useNotificationChoices() {
  const queries = useQueryClient();
  const choices = useQuery(CHOICES);
  const save = useMutation({
    mutationKey: SAVING,
    // One after the other, so that the last choice of a kind stays.
    scope: { id: 'notification choices' },
    mutationFn: ({ kind, page, mail }: NotificationSetting) =>
      call('notifications.putNotificationSettings', {
        body: { settings: [{ kind, page: page ?? false, mail: mail ?? false }] },
      }),
    async onMutate(chosen) {
      await queries.cancelQueries(CHOICES);
      queries.setQueryData(CHOICES.queryKey, (known) =>
        known?.map((each) => (each.kind === chosen.kind ? chosen : each)),
      );
    },
    async onSettled() {
      if (queries.isMutating({ mutationKey: SAVING }) === 1)
        await queries.invalidateQueries(CHOICES);
    },
  });
  return { choices, save };
}
