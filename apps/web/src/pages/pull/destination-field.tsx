/** Chooses where an image is to be pushed once it is scanned: the policy there judges it. */
import { Select } from '@mantine/core';
import { ROOT_FOLDER } from '@portcullis/domain';
import { useAnswer } from '../../api/api.ts';
import { useMessages } from '../../i18n/messages.ts';
import type { Fields } from '../../kit/form/fields.ts';
import { folderChoice, lastChoice, NO_DESTINATION } from './destination-choice.ts';
import type { PullForm } from './pull-form.ts';

/** The last destination of the account, until another one is chosen. */
export function useLastChoice(): string {
  return lastChoice(useAnswer('staging.getLastDestination').data?.destination ?? null);
}

export function DestinationField({ value, set, faultAt }: Fields<PullForm>) {
  const t = useMessages('pull');
  const { data: pushable = [] } = useAnswer('folders.listPushable');
  const { data: last } = useAnswer('staging.getLastDestination');
  const folders = pushable.filter((name) => name !== ROOT_FOLDER);
  const proposed = lastChoice(last?.destination ?? null);
  const chosen = value.destination ?? proposed;
  const data = [
    { value: NO_DESTINATION, label: t.noDestination },
    ...folders.map((name) => ({ value: folderChoice(name), label: name })),
    ...(last?.destination?.kind === 'registry'
      ? [{ value: proposed, label: last.destination.host }]
      : []),
  ];
  return (
    <Select
      label={t.destination}
      description={t.destinationHint}
      data={data}
      value={data.some((each) => each.value === chosen) ? chosen : NO_DESTINATION}
      onChange={(destination) => set({ destination: destination ?? NO_DESTINATION })}
      error={faultAt('folder')}
      searchable={folders.length > 8}
      allowDeselect={false}
    />
  );
}
