/** Parses a shared credentials file of the AWS tools, which the registry's SDK reads as well. */
export interface S3Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string | undefined;
}

/** Keys of the profile `default`; null where one is missing. */
export function parseSharedCredentials(text: string): S3Credentials | null {
  const values = new Map<string, string>();
  let profile = '';
  for (const line of text.split(/\r?\n/)) {
    const heading = /^\s*\[\s*([^\]]+?)\s*\]/.exec(line)?.[1];
    if (heading !== undefined) profile = heading;
    const [, name, value] = /^\s*([A-Za-z_]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
    if (profile === 'default' && name !== undefined && value !== undefined)
      values.set(name.toLowerCase(), value);
  }
  const [accessKeyId, secretAccessKey] = ['aws_access_key_id', 'aws_secret_access_key'].map(
    (name) => values.get(name),
  );
  const sessionToken = values.get('aws_session_token');
  if (!accessKeyId || !secretAccessKey) return null;
  return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) };
}
