import Ajv2020 from 'ajv/dist/2020';

import { readContract } from '../../contracts/read';
import services from '../../contracts/services.json';
import { formats } from '../stringFormats';

/** Returns the contract's violations in claims, one line each. */
export type ClaimsCheck = (schema: string, claims: unknown) => string[];

let cachedCheck: ClaimsCheck | undefined;

/**
 * Returns the validator of claims, by the schemas that the contract names in `x-jwt-claims`. To the validation of requests, a
 * token is only a string.
 */
export function getClaimsCheck(): ClaimsCheck {
	if (cachedCheck) return cachedCheck;
	const { schemas } = readContract(services.passwordlessIdentity.contract).components;
	const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { ...formats } });
	cachedCheck = (name, claims) => {
		const schema = schemas[name];
		if (!schema) throw new Error(`The contract has no schema '${name}'`);
		const validate = ajv.compile(schema);
		if (validate(claims)) return [];
		return (validate.errors ?? []).map(({ instancePath, message }) =>
			`claims${instancePath} ${message}`.trim(),
		);
	};
	return cachedCheck;
}
