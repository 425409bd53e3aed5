/** Why no token is given (RFC 6749, 5.2). */
const STATUS = {
  invalid_client: 401,
  invalid_request: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  slow_down: 429,
  temporarily_unavailable: 503,
} as const;
export type OAuthErrorCode = keyof typeof STATUS;

export class OAuthError extends Error {
  override readonly name = "OAuthError";
  readonly code: OAuthErrorCode;
  /** Seconds after which it is worth trying again; null when waiting does not help. */
  readonly retryAfterS: number | null;

  constructor(code: OAuthErrorCode, description: string, retryAfterS: number | null = null) {
    super(description);
    this.code = code;
    this.retryAfterS = retryAfterS;
  }

  get status(): number {
    return STATUS[this.code];
  }
}
