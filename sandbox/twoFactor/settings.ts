import type { Settings, SettingValue } from '../service';

/** How the two-factor service behaves. */
export interface TwoFactorSettings {
	/** False: approval requests are refused with 60065. */
	pushEnabled: boolean;
	/** True: every request is refused with 60060, for good. */
	suspended: boolean;
	/** How many requests a minute are answered before 60003; 0 means any number. */
	requestsPerMinute: number;
	/** `success` as true and false, or as "true" and "false". */
	successForm: 'boolean' | 'string';
	/** Ids of users as numbers or as strings. */
	idForm: 'number' | 'string';
}

export const defaults: TwoFactorSettings & Settings = {
	pushEnabled: true,
	suspended: false,
	requestsPerMinute: 0,
	successForm: 'boolean',
	idForm: 'number',
};

/** The values that control accepts, for the settings that are not free. */
export const choices: Record<string, readonly SettingValue[]> = {
	successForm: ['boolean', 'string'],
	idForm: ['number', 'string'],
};
