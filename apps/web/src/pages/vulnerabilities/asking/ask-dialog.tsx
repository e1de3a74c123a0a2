/** Asks the reviewers for each image of the caller that one vulnerability blocks. */
import { Alert, Checkbox, Group, Skeleton, Text, Textarea, TextInput } from '@mantine/core';
import { MOST_OPEN_REVIEWS } from '@portcullis/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call, keyOf, page, useAnswer } from '../../../api/api.ts';
import { useMessages, useWords } from '../../../i18n/messages.ts';
import { settledInTurn } from '../../../kit/action/bulk-result.ts';
import { FormDialog } from '../../../kit/dialog/form-dialog.tsx';
import { FaultAlert } from '../../../kit/fault/fault.tsx';
import type { Fields } from '../../../kit/form/fields.ts';
import { Reviewers } from '../../../session/contacts.tsx';
import { PushTarget } from '../../job/push/push-target.tsx';
import { EndField } from '../../job/review/end-field.tsx';
import { firstRequest } from '../../job/review/request-form.ts';
import { placeName, usePlaceName } from '../../registries/use-place-name.ts';
import {
  type AskedImage,
  type AskForm,
  askedBody,
  askedImages,
  askedResults,
  needsPlace,
  unlistedImages,
} from './asked-images.ts';
import { AskedResult } from './asked-result.tsx';
import classes from './asking.module.css';
import { LeftImages } from './left-images.tsx';

interface AskDialogProps {
  id: string;
  onClose(): void;
}

const NO_IMAGES: readonly AskedImage[] = [];

export default function AskDialog({ id, onClose }: AskDialogProps) {
  const t = useMessages('asking');
  const { data: askable = [] } = useAnswer('folders.listAskable');
  const { data: pushable } = useAnswer('folders.listPushable');
  const pages = useQuery({
    queryKey: [...keyOf('vulnerabilities.getVulnerability', { params: { id } }), 'all'],
    queryFn: () => everyPage(id),
  });
  const all = pages.data ? askedImages(pages.data, askable) : NO_IMAGES;
  const images = all.slice(0, MOST_OPEN_REVIEWS);
  const left = all.slice(MOST_OPEN_REVIEWS);
  const unlisted = pages.data ? unlistedImages(pages.data) : 0;
  const [first] = useState(() => ({
    ...firstRequest({ image: id, tag: 'latest' }, Date.now()),
    withOthers: false,
  }));
  const isPlaced = images.every((image) => !needsPlace(image));
  return (
    <FormDialog
      title={t.title(id)}
      size="lg"
      first={first}
      operation="reviews.request"
      send={async (form) =>
        askedResults(
          { images, left, unlisted },
          await settledInTurn(images, (image) =>
            call('reviews.request', { body: askedBody(image, form, id) }),
          ),
        )
      }
      lists={[keyOf('reviews.list'), keyOf('reviews.count')]}
      action={t.submit(images.length)}
      isReady={({ reason, folder }) =>
        images.length > 0 && reason.trim() !== '' && (isPlaced || folder !== null)
      }
      result={{ view: (results) => <AskedResult results={results} /> }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <Text size="sm">{t.lead(id)}</Text>
          <FaultAlert error={pages.error} />
          {pages.data ? <Images images={images} /> : <Skeleton height={72} />}
          <LeftImages images={left} unlisted={unlisted} />
          <AskFields {...fields} isPlaced={isPlaced} pushable={pushable} />
        </>
      )}
    </FormDialog>
  );
}

/** The images are those of all pages, not only of those that were opened. */
async function everyPage(id: string) {
  const found = [];
  let cursor: string | undefined;
  do {
    const { items, next } = await page('vulnerabilities.getVulnerability', {
      params: { id },
      query: { limit: 200, cursor },
    });
    found.push(items);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

const MOST_NAMED = 8;

function Images({ images }: { images: readonly AskedImage[] }) {
  const [t, format] = useWords('asking');
  const { andMore } = useMessages('vulnerabilities');
  const nameOf = usePlaceName();
  if (images.length === 0) return <Alert variant="light">{t.nothing}</Alert>;
  return (
    <ul className={classes.images} aria-label={t.images}>
      {images.slice(0, MOST_NAMED).map(({ key, name, destination }) => {
        const place = placeName(destination, nameOf);
        return (
          <li key={key}>
            <span className={classes.name}>{name}</span>
            <span className={classes.place}>{place === null ? t.noPlace : t.forPlace(place)}</span>
          </li>
        );
      })}
      {images.length > MOST_NAMED && <li>{andMore(format.number(images.length - MOST_NAMED))}</li>}
    </ul>
  );
}

interface AskFieldsProps extends Fields<AskForm> {
  /** Whether each image has its destination. */
  isPlaced: boolean;
  pushable: readonly string[] | undefined;
}

function AskFields({ isPlaced, pushable, ...fields }: AskFieldsProps) {
  const t = useMessages('asking');
  const words = useMessages('reviewRequest');
  const { value, text, check } = fields;
  const [now] = useState(Date.now);
  const place = value.target === 'local' ? value.folder || undefined : undefined;
  return (
    <>
      {!isPlaced && <PushTarget {...fields} pushable={pushable} />}
      <Reviewers folder={place} />
      <Textarea
        label={words.reason}
        {...text('reason')}
        autosize
        minRows={2}
        required
        data-autofocus
      />
      <Group grow align="flex-start" preventGrowOverflow={false}>
        <TextInput label={words.ticket} {...text('ticket')} />
        <EndField {...text('until')} now={now} />
      </Group>
      <Checkbox label={t.withOthers} {...check('withOthers')} />
      <Checkbox label={t.pushWhenApproved} {...check('pushWhenApproved')} />
    </>
  );
}
