import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../engine/errors';
import { field } from '../engine/field';
import type { FieldValue, ReadField } from '../engine/field';
import { readOptions } from '../engine/run/fields';
import { numberReader } from '../engine/values/convert';
import { verifyOption } from './fields';

/** Conditions for the token of a job that the user sets as options. */
export interface TokenPolicy {
	/** Whether the token is verified at all. If not, the other conditions do not apply. */
	verify: boolean;
	/** Value that the claim `aud` must contain. */
	audience?: string;
	/** Value that the claim `iss` must have. */
	issuer?: string;
	/** Maximum time since the claim `iat`. */
	maxAgeMs?: number;
}

const expectedText: ReadField<string | undefined> = (raw, _, label) => {
	if (typeof raw === 'object') throw new BadInput(`'${label}' must be text`, `Check '${label}'.`);
	return `${raw}`.trim() || undefined;
};

/**
 * Options of all operations and triggers that read the result of a job. Invalid values fail the item, because skipping a
 * check silently is unsafe.
 */
export const tokenOptions = {
	expectedAudience: field({
		displayName: 'Expected Audience',
		name: 'expectedAudience',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://app.example.com',
		description:
			"Who the answer must be for (claim 'aud'). Other answers are rejected. Remove this option to accept any.",
		rejectBlank: true,
		read: expectedText,
	}),
	expectedIssuer: field({
		displayName: 'Expected Issuer',
		name: 'expectedIssuer',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://wallet.example.com',
		description:
			"Who must have issued the answer (claim 'iss'). Other answers are rejected. Remove this option to accept any.",
		rejectBlank: true,
		read: expectedText,
	}),
	oldestAnswer: field({
		displayName: 'Max Age of Answer (Minutes)',
		name: 'oldestAnswer',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description:
			"Answers signed earlier (claim 'iat') are rejected, and so are answers without that claim. One minute is added for differing clocks. 0 means no limit.",
		rejectBlank: true,
		read: (raw) => {
			const minutes = numberReader('Max Age of Answer')(raw);
			if (minutes >= 0) return minutes;
			throw new BadInput(
				"'Max Age of Answer' must be 0 or more",
				"Check 'Max Age of Answer': 0 means no limit.",
			);
		},
	}),
	verify: verifyOption,
};

/** Values of these options. */
export type TokenValues = {
	[K in keyof typeof tokenOptions]?: FieldValue<(typeof tokenOptions)[K]>;
};

export const toTokenPolicy = ({
	expectedAudience,
	expectedIssuer,
	oldestAnswer = 0,
	verify = true,
}: TokenValues): TokenPolicy => ({
	verify,
	audience: expectedAudience,
	issuer: expectedIssuer,
	maxAgeMs: oldestAnswer > 0 ? oldestAnswer * 60_000 : undefined,
});

/** Reads the policy from raw option values, as a trigger has them. */
export const readTokenPolicy = (options: IDataObject): TokenPolicy =>
	toTokenPolicy(readOptions(tokenOptions, options));
