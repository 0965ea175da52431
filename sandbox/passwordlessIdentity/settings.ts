import type { Settings, SettingValue } from '../service';

/** Behavior of the identity service: one setting for each form of a response that clients must support. */
export interface PasswordlessIdentitySettings {
	/** Response to a login: a token signed by the service, or a plain status. */
	loginAnswer: 'jwt' | 'json';
	/** Response to a GET of an outstanding job: 204, or a status in JSON. */
	scopeOutstanding: '204' | 'waiting' | 'pending' | 'outstanding' | 'confirmed';
	/** Form of a completed job's token: application/jwt, plain text, a JSON string, in an object, or only its claims. */
	scopeCompleted: 'jwt' | 'text' | 'string' | 'token' | 'claims';
	scopeCancelled: 'cancelled' | 'canceled' | 'deleted' | '404';
	scopeTimedOut: 'expired' | 'timeout' | 'timed out' | '404' | '410';
	/** Lifetime of an outstanding job. */
	scopeJobSeconds: number;
	/** Whether a job needs confirmation by a code: never, if Issue names an email or phone, or always. */
	scopeConfirmation: 'never' | 'contact' | 'always';
	/** Maximum number of jobs that one application may issue per minute; 0 for no limit. */
	scopeIssuesPerMinute: number;
}

export const defaultSettings: PasswordlessIdentitySettings & Settings = {
	loginAnswer: 'jwt',
	scopeOutstanding: 'waiting',
	scopeCompleted: 'jwt',
	scopeCancelled: 'cancelled',
	scopeTimedOut: 'expired',
	scopeJobSeconds: 300,
	scopeConfirmation: 'never',
	scopeIssuesPerMinute: 0,
};

/** Allowed values of the settings that are not numbers. */
export const settingChoices: Record<string, readonly SettingValue[]> = {
	loginAnswer: ['jwt', 'json'],
	scopeOutstanding: ['204', 'waiting', 'pending', 'outstanding', 'confirmed'],
	scopeCompleted: ['jwt', 'text', 'string', 'token', 'claims'],
	scopeCancelled: ['cancelled', 'canceled', 'deleted', '404'],
	scopeTimedOut: ['expired', 'timeout', 'timed out', '404', '410'],
	scopeConfirmation: ['never', 'contact', 'always'],
};
