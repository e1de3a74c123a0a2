/**
 * An audit event. The stream, exports and the archive use the same field names. It has no secrets
 * and no bodies.
 */
export interface AuditEvent {
  id: string;
  /** RFC 3339, UTC. */
  at: string;
  event: string;
  outcome: 'success' | 'denied' | 'failure';
  actor: AuditActor;
  action: string;
  resource: AuditResource | null;
  client_ip: string | null;
  user_agent: string | null;
  method: string | null;
  path: string | null;
  status: number | null;
  duration_ms: number | null;
  request_id: string | null;
  detail: Record<string, unknown>;
}

interface AuditActor {
  id: string | null;
  name: string;
  /** `none`: no account was identified, as in a failed login. */
  auth: 'session' | 'token' | 'basic' | 'oidc' | 'system' | 'none';
  token_id?: string | undefined;
  /** Of a robot: the group that owns it, or `administrators`. */
  robot_of?: string | undefined;
}

interface AuditResource {
  kind: string;
  id: string | null;
  name: string | null;
  folder?: string | undefined;
}
