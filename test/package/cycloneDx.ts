import Ajv from 'ajv';

const hash = {
	type: 'object',
	required: ['alg', 'content'],
	additionalProperties: false,
	properties: {
		alg: { enum: ['SHA-256', 'SHA-384', 'SHA-512'] },
		content: { pattern: '^([a-f0-9]{64}|[a-f0-9]{96}|[a-f0-9]{128})$' },
	},
};
const license = {
	type: 'object',
	minProperties: 1,
	maxProperties: 1,
	additionalProperties: false,
	properties: {
		expression: { type: 'string', minLength: 1 },
		license: {
			type: 'object',
			required: ['id'],
			additionalProperties: false,
			properties: { id: { type: 'string', pattern: '^[A-Za-z0-9.+-]+$' } },
		},
	},
};

/** The parts of the JSON schema of CycloneDX 1.6 that our SBOM uses. Other properties are rejected. */
const schema = {
	type: 'object',
	required: ['$schema', 'bomFormat', 'specVersion', 'version', 'metadata', 'components'],
	additionalProperties: false,
	properties: {
		$schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
		bomFormat: { const: 'CycloneDX' },
		specVersion: { const: '1.6' },
		version: { type: 'integer', minimum: 1 },
		metadata: {
			type: 'object',
			required: ['component'],
			additionalProperties: false,
			properties: {
				lifecycles: { const: [{ phase: 'build' }] },
				component: { $ref: '#/definitions/component' },
			},
		},
		components: { $ref: '#/definitions/components' },
		dependencies: {
			type: 'array',
			uniqueItems: true,
			items: {
				type: 'object',
				required: ['ref'],
				additionalProperties: false,
				properties: {
					ref: { type: 'string', minLength: 1 },
					dependsOn: { type: 'array', uniqueItems: true, items: { type: 'string' } },
				},
			},
		},
	},
	definitions: {
		components: { type: 'array', uniqueItems: true, items: { $ref: '#/definitions/component' } },
		component: {
			type: 'object',
			required: ['type', 'name'],
			additionalProperties: false,
			properties: {
				type: { enum: ['library', 'file'] },
				'bom-ref': { type: 'string', minLength: 1 },
				name: { type: 'string', minLength: 1 },
				version: { type: 'string', maxLength: 1024 },
				scope: { enum: ['required', 'optional', 'excluded'] },
				hashes: { type: 'array', items: hash },
				licenses: { type: 'array', items: license },
				purl: { type: 'string', pattern: '^pkg:npm/(%40[^/@]+/)?[^/@]+@[^/@]+$' },
				components: { $ref: '#/definitions/components' },
				evidence: {
					type: 'object',
					additionalProperties: false,
					properties: {
						occurrences: {
							type: 'array',
							items: {
								type: 'object',
								required: ['location'],
								additionalProperties: false,
								properties: { location: { type: 'string', minLength: 1 } },
							},
						},
					},
				},
			},
		},
	},
};

const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);

interface References {
	metadata: { component: { 'bom-ref': string } };
	components: Array<{ 'bom-ref': string }>;
	dependencies: Array<{ ref: string; dependsOn: string[] }>;
}

/** Returns the reasons why a document is no valid CycloneDX SBOM: its shape, and missing or ambiguous references. */
export function findCycloneDxProblems(sbom: unknown): string[] {
	if (!validate(sbom)) {
		return validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
	}
	const { metadata, components, dependencies } = sbom as unknown as References;
	const refs = [metadata.component, ...components].map((component) => component['bom-ref']);
	const references = dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
	return [
		...refs
			.filter((ref, index) => refs.indexOf(ref) !== index)
			.map((ref) => `${ref} is there twice`),
		...references.filter((ref) => !refs.includes(ref)).map((ref) => `${ref} is not there`),
	];
}
