/** The waivers that allow findings of an image, and those that are requested. */
import { Anchor } from '@mantine/core';
import type { ImageDetail, Waiver } from '@portcullis/contract';
import { LOCAL_REGISTRY_ID } from '@portcullis/domain';
import type { UseQueryResult } from '@tanstack/react-query';
import { Link } from 'react-router';
import { useAnswer } from '../../../api/api.ts';
import { useFormat, useMessages } from '../../../i18n/messages.ts';
import { useWaiverSentence } from '../../../kit/waiver/waiver-words.ts';
import type { RepositoryLocation } from '../repository-location.ts';

const MOST_SHOWN = 5;

interface ImageWaiversProps {
  place: RepositoryLocation;
  image: Pick<ImageDetail, 'digest' | 'scan'>;
}

export function useImageWaivers(
  { registryId, repository }: RepositoryLocation,
  image?: ImageWaiversProps['image'],
): UseQueryResult<Waiver[]> {
  return useAnswer(
    'waivers.ofFindings',
    { query: { repository, reference: image?.digest ?? '' } },
    { enabled: registryId === LOCAL_REGISTRY_ID && image !== undefined && image.scan !== null },
  );
}

/** An error leaves them out: the verdict is shown without them. */
export function ImageWaivers({ place, image }: ImageWaiversProps) {
  const t = useMessages('waiverWords');
  const { data = [] } = useImageWaivers(place, image);
  const shown = data
    .filter(({ state, in_force }) => state === 'requested' || in_force)
    .toSorted((one, other) => Number(other.in_force) - Number(one.in_force));
  if (shown.length === 0) return null;
  return (
    <>
      {shown.slice(0, MOST_SHOWN).map((waiver) => (
        <WaiverLine key={waiver.id} waiver={waiver} />
      ))}
      {shown.length > MOST_SHOWN && <div>{t.more(shown.length - MOST_SHOWN)}</div>}
    </>
  );
}

function WaiverLine({ waiver }: { waiver: Waiver }) {
  const format = useFormat();
  const sentence = useWaiverSentence();
  return (
    <div>
      <Anchor
        component={Link}
        to={`/waivers?state=all&open=${waiver.id}`}
        size="sm"
        underline="always"
      >
        {waiver.vulnerability}
      </Anchor>
      {format.colon}
      {sentence(waiver)}
    </div>
  );
}
