/** What became of the requests: how many were asked, stood already, and could not be asked. */
import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { isProblem } from '../../../api/problem-error.ts';
import { useMessages } from '../../../i18n/messages.ts';
import { useFaultText } from '../../../kit/fault/fault.tsx';
import type { AskedResults } from './asked-images.ts';
import classes from './asking.module.css';
import { LeftImages } from './left-images.tsx';

export function AskedResult({
  results: { asked, open, failed, left, unlisted },
}: {
  results: AskedResults;
}) {
  const t = useMessages('asking');
  const faultText = useFaultText();
  const reasonOf = (error: unknown) => {
    const [field] = isProblem(error) ? Object.values(error.fields) : [];
    return field ?? faultText(error);
  };
  return (
    <Stack gap="xs" role="status">
      <Text fw={600}>{t.asked(asked)}</Text>
      {open.length > 0 && <Text size="sm">{t.open(open.length)}</Text>}
      {failed.length > 0 && <Text size="sm">{t.failed(failed.length)}</Text>}
      {failed.length > 0 && (
        <ul className={classes.images}>
          {failed.map(({ image: { key, name }, error }) => (
            <li key={key}>
              <span className={classes.name}>{name}</span>
              <span>{reasonOf(error)}</span>
            </li>
          ))}
        </ul>
      )}
      <LeftImages images={left} unlisted={unlisted} />
      <Anchor component={Link} to="/reviews?show=mine" size="sm">
        {t.mine}
      </Anchor>
    </Stack>
  );
}
