import { TextInput } from '@mantine/core';
import type { NetworkConfig } from '@portcullis/contract';
import { useMessages } from '../../../i18n/messages.ts';
import type { Fields } from '../../../kit/form/fields.ts';
import classes from './network.module.css';

const HALF = { className: classes.half ?? '' };

export function ProxyFields({ optional }: Fields<NetworkConfig['proxy']>) {
  const t = useMessages('network');
  return (
    <div className={classes.grid}>
      <TextInput label={t.httpProxy} {...HALF} {...optional('http_proxy')} />
      <TextInput
        label={t.httpsProxy}
        description={t.proxyHint}
        {...HALF}
        {...optional('https_proxy')}
      />
      <TextInput label={t.noProxy} description={t.noProxyHint} {...optional('no_proxy')} />
    </div>
  );
}
