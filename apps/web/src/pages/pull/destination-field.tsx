/** Chooses where an image is to be pushed once it is scanned: the policy there judges it. */
import { Select } from '@mantine/core';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import type { Fields } from '../../kit/form/fields.ts';
import { useAccount } from '../../session/account.ts';
import { destinationChoices, lastChoice, NO_DESTINATION } from './destination-choice.ts';
import type { PullForm } from './pull-form.ts';

/** The last destination of the account, until another one is chosen. */
export function useLastChoice(): string {
  return lastChoice(useAnswer('staging.getLastDestination').data?.destination ?? null);
}

export function DestinationField({ value, set, faultAt }: Fields<PullForm>) {
  const t = useMessages('pull');
  const last = useLastChoice();
  const { capabilities } = useAccount();
  const { data: folders = [] } = useAnswer('folders.listPushable');
  const { data: saved = [] } = useAnswer('registries.listRegistries');
  const registries = capabilities.push_external ? saved : [];
  const words = { none: t.noDestination, folders: t.folders, registries: t.registries };
  const data = destinationChoices({ folders, registries }, words);
  const chosen = value.destination ?? last;
  const values = data.flatMap((each) => ('items' in each ? each.items : [each]));
  return (
    <Select
      label={t.destination}
      description={t.destinationHint}
      data={data}
      value={values.some((each) => each.value === chosen) ? chosen : NO_DESTINATION}
      onChange={(destination) => set({ destination: destination ?? NO_DESTINATION })}
      error={faultAt('folder') ?? faultAt('destination')}
      searchable={values.length > 8}
      allowDeselect={false}
    />
  );
}
