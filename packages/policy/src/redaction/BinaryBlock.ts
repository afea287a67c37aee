/** Blocks of bytes inside JSON: images, audio, resources, in base64 beside their media type. */
import type { JsonObject } from "@gatehouse/core/Json"

/** The field of a content block that holds bytes (MCP: `data` of images and audio, `blob` of resources). */
export const binaryField = (value: JsonObject): string | undefined => {
  if (!["mimeType", "mime_type", "media_type", "mediaType"].some((name) => typeof value[name] === "string"))
    return undefined
  return ["data", "blob"].find((name) => typeof value[name] === "string")
}

/** The bytes of a block, one character each, so that texts in them are found. */
export const decodedBlock = (content: string): string => Buffer.from(content, "base64").toString("latin1")
