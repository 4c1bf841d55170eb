"""HTTP below the API and the pages: requests, replies, limits, streams, identity."""
