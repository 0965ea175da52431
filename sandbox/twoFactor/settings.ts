import type { Settings, SettingValue } from '../service';

/** Behavior of the two-factor service. */
export interface TwoFactorSettings {
	/** False: approval requests are rejected with 60065. */
	pushEnabled: boolean;
	/** True: every request is rejected with 60060, which is permanent. */
	suspended: boolean;
	/** Maximum number of requests per minute before 60003; 0 for no limit. */
	requestsPerMinute: number;
	/** `success` as true and false, or as "true" and "false". */
	successForm: 'boolean' | 'string';
	/** User IDs as numbers or as strings. */
	idForm: 'number' | 'string';
}

export const defaultSettings: TwoFactorSettings & Settings = {
	pushEnabled: true,
	suspended: false,
	requestsPerMinute: 0,
	successForm: 'boolean',
	idForm: 'number',
};

/** Allowed values of the settings that are limited. */
export const settingChoices: Record<string, readonly SettingValue[]> = {
	successForm: ['boolean', 'string'],
	idForm: ['number', 'string'],
};
