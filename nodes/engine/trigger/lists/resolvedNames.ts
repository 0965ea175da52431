import { isRecord } from '../../values/isRecord';

/** The ID that the name in a field stood for when the name was last looked up. */
interface ResolvedName {
	name: string;
	id: string;
	/** The ID of the record that the list belongs to. */
	owner?: string;
}

/**
 * IDs by the names that the user gave, one per field. They are saved, so that the trigger finds a renamed record after a
 * restart, too.
 */
export class ResolvedNames {
	private readonly fields = new Map<string, ResolvedName>();

	/** Returns the ID of a name; undefined if the field held another name, or the list belonged to another record. */
	get(field: string, name: string, owner?: string): string | undefined {
		const entry = this.fields.get(field);
		return entry?.name === name && entry.owner === owner ? entry.id : undefined;
	}

	set(field: string, name: string, id: string, owner?: string): void {
		this.fields.set(field, { name, id, ...(owner !== undefined && { owner }) });
	}

	/** Returns one JSON text per field. */
	toSaved(): string[] {
		return [...this.fields].map((entry) => JSON.stringify(entry));
	}

	/** Restores saved texts. Skips an unreadable text, so that its name is looked up again. */
	restore(savedTexts: readonly string[] = []): void {
		for (const text of savedTexts) {
			const [field, entry] = parsePair(text);
			if (typeof field !== 'string' || !isRecord(entry)) continue;
			const { name, id, owner } = entry;
			if (typeof name !== 'string' || typeof id !== 'string') continue;
			this.set(field, name, id, typeof owner === 'string' ? owner : undefined);
		}
	}
}

function parsePair(text: string): unknown[] {
	try {
		const pair: unknown = JSON.parse(text);
		return Array.isArray(pair) ? pair : [];
	} catch {
		return [];
	}
}
