import Ajv2020 from 'ajv/dist/2020';

import { readContract } from '../../contracts/read';
import services from '../../contracts/services.json';
import { formats } from '../formats';

/** Returns the contract's violations in claims, one line each. */
export type ClaimsCheck = (schema: string, claims: unknown) => string[];

let cached: ClaimsCheck | undefined;

/** Validates claims against the schemas that the contract names in `x-jwt-claims`: for the core a token is only a string. */
export function claimsCheck(): ClaimsCheck {
	if (cached) return cached;
	const { schemas } = readContract(services.passwordlessIdentity.contract).components;
	const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ...formats } });
	cached = (name, claims) => {
		const schema = schemas[name];
		if (!schema) throw new Error(`The contract has no schema '${name}'`);
		const validate = ajv.compile(schema);
		if (validate(claims)) return [];
		return (validate.errors ?? []).map(({ instancePath, message }) =>
			`claims${instancePath} ${message}`.trim(),
		);
	};
	return cached;
}
