import type { Settings, SettingValue } from '../service';

/** How the identity service behaves. Every form of an answer that clients must cope with is one. */
export interface PasswordlessIdentitySettings {
	/** A login is answered with a token signed by the service, or with a plain status. */
	loginAnswer: 'jwt' | 'json';
	/** What a GET of an outstanding job answers: 204, or a status in JSON. */
	scopeOutstanding: '204' | 'waiting' | 'pending' | 'outstanding' | 'confirmed';
	/** How a completed job gives its token: as application/jwt, as plain text, as a JSON string, in an object, or only its claims. */
	scopeCompleted: 'jwt' | 'text' | 'string' | 'token' | 'claims';
	scopeCancelled: 'cancelled' | 'canceled' | 'deleted' | '404';
	scopeTimedOut: 'expired' | 'timeout' | 'timed out' | '404' | '410';
	/** How long a job stays outstanding. */
	scopeJobSeconds: number;
	/** Whether a job needs a code to be confirmed: never, when Issue names an email or phone, or always. */
	scopeConfirmation: 'never' | 'contact' | 'always';
	/** How many jobs one application may issue in a minute; 0 means any number. */
	scopeIssuesPerMinute: number;
}

export const defaults: PasswordlessIdentitySettings & Settings = {
	loginAnswer: 'jwt',
	scopeOutstanding: 'waiting',
	scopeCompleted: 'jwt',
	scopeCancelled: 'cancelled',
	scopeTimedOut: 'expired',
	scopeJobSeconds: 300,
	scopeConfirmation: 'never',
	scopeIssuesPerMinute: 0,
};

/** The values that control accepts, for the settings that are not numbers. */
export const choices: Record<string, readonly SettingValue[]> = {
	loginAnswer: ['jwt', 'json'],
	scopeOutstanding: ['204', 'waiting', 'pending', 'outstanding', 'confirmed'],
	scopeCompleted: ['jwt', 'text', 'string', 'token', 'claims'],
	scopeCancelled: ['cancelled', 'canceled', 'deleted', '404'],
	scopeTimedOut: ['expired', 'timeout', 'timed out', '404', '410'],
	scopeConfirmation: ['never', 'contact', 'always'],
};
