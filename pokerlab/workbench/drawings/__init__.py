"""Cards, trees and other pictures as SVG."""
